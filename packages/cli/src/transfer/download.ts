/**
 * Downloads a file or a tree of a workspace. The names and links are untrusted: a name that this machine would read as a path, and
 * a link that leads out of the target, are skipped and reported. A file appears under its name once it is complete.
 */
import { createWriteStream, lstatSync } from "node:fs";
import { chmod, lstat, mkdir, rename, rm, symlink, utimes } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Entry } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import type { Api } from "../client/api.ts";
import { filesRoute } from "../client/remote-path.ts";
import { retry } from "../client/retry.ts";
import type { Progress } from "../format/progress-bar.ts";
import { Arrivals } from "./arrivals.ts";
import { staysInside } from "./local-tree.ts";
import { remoteStat } from "./remote-tree.ts";

const AT_ONCE = 8;

export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

/** Entries in the order of `tree`, below `from`; each is written below `to`. */
export async function downloadTree(
  api: Api,
  { entries, from, to, again }: { entries: readonly Entry[]; from: string; to: string; again: string },
  progress: Progress,
): Promise<LeftOut[]> {
  const leftOut: LeftOut[] = [];
  const files: { entry: Entry; path: string }[] = [];
  await makeDirectory(to);
  const links = new Set(
    entries.filter(({ type }) => type === "symlink").map(({ path }) => path.slice(from.length + 1)),
  );
  const isLink = (name: string) =>
    links.has(name) || lstatSync(join(to, name), { throwIfNoEntry: false })?.isSymbolicLink() === true;
  for (const entry of entries) {
    const path = localPath(to, entry.path.slice(from.length + 1));
    if (path === null) leftOut.push({ path: entry.path, reason: "its name is a path on this machine" });
    else if (entry.type === "directory") await makeDirectory(path);
    else if (entry.type === "file") files.push({ entry, path });
    else await makeLink(api, entry, { path, root: to, isLink, leftOut });
  }
  const arrivals = new Arrivals(progress, files.length, again);
  const next = (function* () {
    yield* files;
  })();
  const worker = async () => {
    for (const { entry, path } of next) {
      await receiveFile(api, entry, path, arrivals);
    }
  };
  // The first failure ends the shared iterator; the other workers finish their current file, so that the error's count is correct.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
  const failed = ended.find((end) => end.status === "rejected");
  if (failed !== undefined) throw arrivals.failure(failed.reason);
  return leftOut;
}

export function downloadFile(api: Api, entry: Entry, path: string, progress: Progress): Promise<void> {
  return receiveFile(api, entry, path, new Arrivals(progress, 1, ""));
}

async function receiveFile(api: Api, entry: Entry, path: string, arrivals: Arrivals): Promise<void> {
  await retry(() => arrivals.attempt((moved) => receiveOnce(api, entry, path, moved)));
  arrivals.fileDone();
}

async function receiveOnce(api: Api, entry: Entry, path: string, moved: (bytes: number) => void): Promise<void> {
  const response = await api.send(filesRoute(entry.path));
  const temporary = join(dirname(path), `.wsx-${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    const counted = async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        moved(chunk.byteLength);
        yield chunk;
      }
    };
    const body = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as never);
    await pipeline(body, counted, createWriteStream(temporary, { flags: "wx" }));
    await chmod(temporary, entry.mode & 0o777);
    await utimes(temporary, entry.mtime / 1000, entry.mtime / 1000);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Null for a name that would not stay below the target here. */
function localPath(root: string, name: string): string | null {
  const path = resolve(root, ...name.split("/"));
  return path.startsWith(resolve(root) + sep) && (sep === "/" || !name.includes(sep)) ? path : null;
}

/** A link in place of a directory is not followed: files would land at its target. */
async function makeDirectory(path: string): Promise<void> {
  const there = await lstat(path).catch(() => null);
  if (there?.isDirectory()) return;
  if (there !== null) throw new CliError("EEXIST", `${path} is there already, and is not a directory`);
  await mkdir(path, { recursive: true });
}

async function makeLink(
  api: Api,
  entry: Entry,
  {
    path,
    root,
    isLink,
    leftOut,
  }: { path: string; root: string; isLink: (name: string) => boolean; leftOut: LeftOut[] },
): Promise<void> {
  const { target = "" } = await remoteStat(api, entry.path);
  const name = relative(root, path).split(sep).join("/");
  if (!staysInside({ name, target }, isLink)) {
    leftOut.push({ path: entry.path, reason: `the link leads out, to ${target}` });
    return;
  }
  const there = await lstat(path).catch(() => null);
  if (there !== null && !there.isSymbolicLink())
    throw new CliError("EEXIST", `${path} is there already, and is not a link`);
  await rm(path, { force: true });
  await symlink(target, path);
}
