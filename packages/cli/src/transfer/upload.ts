/**
 * Local files, directories and links into a workspace, as tars that the server unpacks whole or not at all. One request carries up
 * to 64 MiB, so a large tree goes in several; a larger file goes by itself.
 */
import type { ArchiveAnswer } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import type { Api } from "../client/api.ts";
import { filesRoute, joinRemote } from "../client/remote-path.ts";
import type { Progress } from "../format/progress-bar.ts";
import { fileChunks } from "./file-chunks.ts";
import type { LocalEntry } from "./local-tree.ts";
import { type TarEntry, tarSize, tarStream } from "./tar-stream.ts";

const BATCH_BYTES = 64 * 1024 * 1024;
const BATCH_ENTRIES = 5000;
/** What the server takes in one body. */
const MAX_FILE = 100 * 1024 * 1024;

export async function upload(api: Api, entries: readonly LocalEntry[], to: string, progress: Progress): Promise<void> {
  const large = entries.find((entry) => entry.size > MAX_FILE);
  if (large !== undefined)
    throw new CliError("EFBIG", `${large.path} is larger than 100 MiB, which one request carries`);
  const parent = to.slice(0, to.lastIndexOf("/"));
  const name = to.slice(to.lastIndexOf("/") + 1);
  // Into the root itself, the root is not an entry.
  const isRoot = parent === "";
  const named = entries
    .map(
      (entry): TarEntry => ({
        ...entry,
        as: isRoot ? entry.name : [name, entry.name].filter((part) => part !== "").join("/"),
      }),
    )
    .filter(({ as }) => as !== "");
  for (const batch of batches(named)) {
    if (batch.length === 1 && (batch[0] as TarEntry).size > BATCH_BYTES) {
      await putFile(api, batch[0] as TarEntry, joinRemote(isRoot ? to : parent, (batch[0] as TarEntry).as), progress);
    } else {
      await api.json<ArchiveAnswer>("archive", {
        method: "PUT",
        query: { path: isRoot ? to : parent, format: "tar" },
        headers: { "Content-Type": "application/x-tar" },
        body: tarStream(batch, progress.moved),
      });
    }
    for (const { type } of batch) if (type === "file") progress.fileDone();
  }
}

async function putFile(api: Api, { path, size }: LocalEntry, to: string, progress: Progress): Promise<void> {
  await api.done(filesRoute(to), {
    method: "PUT",
    headers: { "Content-Type": "application/octet-stream" },
    body: fileChunks(path, size, progress.moved),
  });
}

function* batches(entries: readonly TarEntry[]): Generator<TarEntry[]> {
  let batch: TarEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const size = tarSize(entry);
    if (batch.length > 0 && (bytes + size > BATCH_BYTES || batch.length >= BATCH_ENTRIES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(entry);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
