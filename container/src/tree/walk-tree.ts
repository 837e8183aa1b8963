/**
 * Looks at every entry that is synced. It works inside each directory in turn (`chdir`), because a short name is looked up twice
 * as fast as a path, and enters directories by an open descriptor, so that none can be swapped for a link on the way. It never
 * awaits, so nobody else sees the working directory change.
 */
import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { type EntryKind, type Skipped, SYNC_LIMITS } from "@workspace/protocol";
import type { PinnedDirectory } from "../jail/pinned-directory.ts";
import { type Known, kindOf, sameLooks } from "./manifest.ts";
import type { Tree } from "./tree.ts";

export interface Changed {
  path: string;
  type: EntryKind;
  stat: Stats;
  target: string | null;
  known: Known | undefined;
}

export interface Walked {
  entries: number;
  bytes: number;
  seen: number;
  changed: Changed[];
  skipped: Skipped[];
  /** Directories, with a slash, that could not be listed: what is known below them is not gone. */
  unread: string[];
  /** Entries below each name at the top, to say where a runaway tree is. */
  largest: { path: string; entries: number };
}

const REPLACEMENT = "\ufffd";

export function walkTree(tree: Tree, number: number, maxEntries: number): Walked {
  const walked: Walked = {
    entries: 0,
    bytes: 0,
    seen: 0,
    changed: [],
    skipped: [],
    unread: [],
    largest: { path: "", entries: 0 },
  };
  const visit = (directory: PinnedDirectory, prefix: string, depth: number): void => {
    const names = list(directory, prefix, walked);
    if (names === null) {
      walked.unread.push(prefix);
      return skip(walked, prefix.slice(0, -1), "the directory cannot be read");
    }
    const directories: string[] = [];
    for (const name of names) {
      if (walked.entries > maxEntries) return;
      const kept = look(tree, prefix, name, number, walked);
      if (kept) directories.push(name);
    }
    for (const name of directories) {
      if (walked.entries > maxEntries) return;
      const before = walked.entries;
      descend(directory, prefix, name, depth);
      if (depth === 0 && walked.entries - before > walked.largest.entries)
        walked.largest = { path: name, entries: walked.entries - before };
    }
  };
  const descend = (directory: PinnedDirectory, prefix: string, name: string, depth: number): void => {
    const path = prefix + name;
    if (depth + 2 > SYNC_LIMITS.depth) return skip(walked, path, `deeper than ${SYNC_LIMITS.depth} directories`);
    let below: PinnedDirectory;
    try {
      below = directory.enter(name);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Gone or swapped since it was listed: the next scan sees what is there then, and until it does nothing below is gone.
      walked.unread.push(`${path}/`);
      if (code !== "ENOENT" && code !== "ENOTDIR" && code !== "ELOOP") skip(walked, path, `cannot be read: ${code}`);
      return;
    }
    using _held = below;
    visit(below, `${path}/`, depth + 1);
  };
  try {
    visit(tree.root, "", 0);
  } finally {
    process.chdir("/");
  }
  return walked;
}

function list(directory: PinnedDirectory, prefix: string, walked: Walked): string[] | null {
  try {
    process.chdir(directory.path);
    const names = readdirSync(".");
    return names.some((name) => name.includes(REPLACEMENT)) ? texts(prefix, walked) : names;
  } catch (error) {
    if (["EACCES", "EPERM", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

/** The names that are text. The others are told with their bytes, because two of them may read the same. */
function texts(prefix: string, walked: Walked): string[] {
  return readdirSync(".", { encoding: "buffer" }).flatMap((bytes) => {
    if (isUtf8(bytes)) return [bytes.toString()];
    skip(walked, prefix + escaped(bytes), "the name is not UTF-8");
    return [];
  });
}

function escaped(bytes: Uint8Array): string {
  const isPlain = (byte: number) => byte >= 0x20 && byte < 0x7f;
  return Array.from(bytes, (byte) =>
    isPlain(byte) ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
  ).join("");
}

/** Returns whether it is a directory to go into. */
function look(tree: Tree, prefix: string, name: string, number: number, walked: Walked): boolean {
  const path = prefix + name;
  const stat = lstatSync(name, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const type = kindOf(stat.mode);
  const known = tree.manifest.get(path);
  if (type === null) {
    if (!tree.policy.staysHere(path, false)) skip(walked, path, "neither file, directory nor symlink");
    return false;
  }
  // What was agreed on is synced; asking the rules about each would take as long as looking.
  if (known === undefined || known.type !== type) {
    if (tree.policy.staysHere(path, type === "dir")) {
      if (type === "dir" && path !== ".workspace") skip(walked, path, "container-only by policy");
      return false;
    }
    const unfit = unfitness(path, stat, tree);
    if (unfit !== null) {
      skip(walked, path, unfit);
      return false;
    }
  }
  walked.entries++;
  if (type === "file") walked.bytes += stat.size;
  if (known !== undefined && known.type === type) {
    if (known.seen !== number) walked.seen++;
    known.seen = number;
    if (type === "dir" ? known.mode === stat.mode : !known.racy && sameLooks(known, stat)) return type === "dir";
  }
  let target: string | null = null;
  if (type === "symlink") {
    target = readTarget(name);
    if (target === null) return false;
    if (target.includes(REPLACEMENT)) {
      skip(walked, path, "the link's target is not UTF-8");
      return false;
    }
  }
  if (type === "file" && isUnreadable(stat)) {
    skip(walked, path, "the daemon may not read it");
    return false;
  }
  walked.changed.push({ path, type, stat, target, known });
  return type === "dir";
}

/** Root reads everything; a daemon that is a plain process is bound by modes as its commands are. */
function isUnreadable({ mode, uid }: Stats): boolean {
  const user = process.getuid?.() ?? 0;
  return user !== 0 && uid === user && (mode & 0o400) === 0;
}

/** Null when it is no link any more: the next scan sees what it is. */
function readTarget(name: string): string | null {
  try {
    return readlinkSync(name);
  } catch {
    return null;
  }
}

function unfitness(path: string, stat: Stats, { owner }: Tree): string | null {
  if (Buffer.byteLength(path) > SYNC_LIMITS.pathBytes - 256) return "the path is too long";
  if (owner !== null && stat.uid !== owner.uid) return "it belongs to another user";
  return null;
}

export function skip(walked: Pick<Walked, "skipped">, path: string, reason: string): void {
  const { skipped } = walked;
  if (skipped.length < SYNC_LIMITS.reportItems) skipped.push({ path, reason });
  else {
    const more = Number(skipped[SYNC_LIMITS.reportItems]?.path ?? 0) + 1;
    skipped[SYNC_LIMITS.reportItems] = { path: String(more), reason: "more paths were skipped" };
  }
}
