/** Plays sequences on a real temporary directory, for the property test: `POST { root, operations }` gives `Played`. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createNodeFileSystem } from "../../contract/node-file-system.ts";
import type { Operation } from "../../property/operation.ts";
import { type Played, play } from "../../property/play.ts";

const fs = createNodeFileSystem();
let base: string | undefined;

/** In memory where there is such a directory: two thousand trees are made and removed. */
export function realFsBase(): string {
  if (base) return base;
  const home = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
  const created = realpathSync(mkdtempSync(join(home, "workspace-property-")));
  process.on("exit", () => rmSync(created, { recursive: true, force: true }));
  process.umask(0o022);
  base = created;
  return created;
}

export async function realFs(request: Request): Promise<Response> {
  const { root, operations } = (await request.json()) as { root: string; operations: Operation[] };
  // The sequence's own directory, one above its root: what `..` can reach.
  const own = dirname(root);
  if (dirname(own) !== realFsBase()) return new Response(`not a root of ours: ${root}`, { status: 400 });
  try {
    const played: Played = await play(fs, root, operations, { atomically: (action) => undoneOnFailure(own, action) });
    return Response.json(played);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** `node:fs` leaves what `cp` did before it failed; ours is all or nothing, so the directory is put back as it was. */
async function undoneOnFailure<T>(directory: string, action: () => Promise<T>): Promise<T> {
  const before = remember(directory);
  try {
    return await action();
  } catch (error) {
    rmSync(directory, { recursive: true });
    restore(before);
    throw error;
  }
}

type Remembered = { path: string; stat: Stats; target?: string; bytes?: Uint8Array; entries?: Remembered[] };

function remember(path: string): Remembered {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return { path, stat, target: readlinkSync(path) };
  if (stat.isDirectory()) return { path, stat, entries: readdirSync(path).map((name) => remember(join(path, name))) };
  return { path, stat, bytes: readFileSync(path) };
}

function restore({ path, stat, target, bytes, entries }: Remembered, names = new Map<number, string>()): void {
  const other = names.get(stat.ino);
  if (other !== undefined) {
    linkSync(other, path);
    return;
  }
  names.set(stat.ino, path);
  if (target !== undefined) symlinkSync(target, path);
  else if (bytes !== undefined) writeFileSync(path, bytes);
  else {
    mkdirSync(path);
    for (const entry of entries ?? []) restore(entry, names);
  }
  if (target === undefined) chmodSync(path, stat.mode);
  lutimesSync(path, stat.atime, stat.mtime);
}
