/**
 * Copies local files, directories and links into a workspace, as tars that the server unpacks all or nothing. One request carries
 * up to 64 MiB, so a large tree takes several; a larger file is sent by itself.
 */
import type { ArchiveResponse } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import type { Api } from "../client/api.ts";
import { filesRoute, joinRemote } from "../client/remote-path.ts";
import { retry } from "../client/retry.ts";
import type { Progress } from "../format/progress-bar.ts";
import { Arrivals } from "./arrivals.ts";
import { fileChunks } from "./file-chunks.ts";
import type { LocalEntry } from "./local-tree.ts";
import { type TarEntry, tarSize, tarStream } from "./tar-stream.ts";

const BATCH_BYTES = 64 * 1024 * 1024;
const BATCH_ENTRIES = 5000;
/** The server's limit for one body. */
const MAX_FILE = 100 * 1024 * 1024;

/** `again`: how to repeat the whole copy after a failure. */
export async function upload(
  api: Api,
  { entries, to, again }: { entries: readonly LocalEntry[]; to: string; again: string },
  progress: Progress,
): Promise<void> {
  const large = entries.find((entry) => entry.size > MAX_FILE);
  if (large !== undefined)
    throw new CliError("EFBIG", `${large.path} is larger than 100 MiB, which one request carries`);
  const parent = to.slice(0, to.lastIndexOf("/"));
  const name = to.slice(to.lastIndexOf("/") + 1);
  // When copying into the root, the root itself is not an entry.
  const isRoot = parent === "";
  const named = entries
    .map(
      (entry): TarEntry => ({
        ...entry,
        as: isRoot ? entry.name : [name, entry.name].filter((part) => part !== "").join("/"),
      }),
    )
    .filter(({ as }) => as !== "");
  const arrivals = new Arrivals(progress, named.filter(({ type }) => type === "file").length, again);
  try {
    for (const batch of batches(named)) {
      // A batch is applied all or nothing and replaces existing files, so it may be retried.
      await retry(() => arrivals.attempt((moved) => sendBatch(api, batch, isRoot ? to : parent, moved)));
      for (const { type } of batch) if (type === "file") arrivals.fileDone();
    }
  } catch (error) {
    throw arrivals.failure(error);
  }
}

async function sendBatch(
  api: Api,
  batch: readonly TarEntry[],
  parent: string,
  moved: (bytes: number) => void,
): Promise<void> {
  const [first] = batch;
  if (first !== undefined && batch.length === 1 && first.size > BATCH_BYTES) {
    await api.sendDiscardingBody(filesRoute(joinRemote(parent, first.as)), {
      method: "PUT",
      headers: { "Content-Type": "application/octet-stream" },
      body: fileChunks(first.path, first.size, moved),
    });
    return;
  }
  await api.json<ArchiveResponse>("archive", {
    method: "PUT",
    query: { path: parent, format: "tar" },
    headers: { "Content-Type": "application/x-tar" },
    body: tarStream(batch, moved),
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
