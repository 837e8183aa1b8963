/** Compares two files or directories outside any repository: `diff --no-index`. */
import type { FileStat, FileSystem } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { MODE_EXECUTABLE, MODE_FILE, MODE_SYMLINK } from "../object/file-mode.ts";
import { compareText, encode } from "../text/bytes.ts";
import { createPair, type FilePair, type FileSpec, missingFile } from "./file-pair.ts";

interface NoIndexContext {
  readonly fs: FileSystem;
  readonly cwd: string;
  /** The content of "-". */
  readonly stdin: () => Promise<Uint8Array>;
}

interface PathEntry {
  readonly name: string;
  readonly stat: FileStat | null;
}

export async function pathPairs(position: NoIndexContext, a: string, b: string): Promise<FilePair[]> {
  let [left, right] = [await find(position, a), await find(position, b)];
  // A file compared with a directory means the file of that name in it.
  if (left.stat?.type === "dir" && right.stat && right.stat.type !== "dir") left = await find(position, inside(a, b));
  else if (right.stat?.type === "dir" && left.stat && left.stat.type !== "dir")
    right = await find(position, inside(b, a));
  const pairs: FilePair[] = [];
  const waiting: [PathEntry | null, PathEntry | null][] = [[left, right]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, to] = next;
    const isDirectory = (found: PathEntry | null) => found?.stat?.type === "dir";
    if (isDirectory(from) || isDirectory(to)) {
      if (from && to && isDirectory(from) !== isDirectory(to)) {
        // One is deleted with all its contents, and the other created.
        waiting.push([null, to], [from, null]);
        continue;
      }
      waiting.push(...(await entries(position, from, to)).reverse());
      continue;
    }
    pairs.push(await createPathPair(position, from, to));
  }
  return pairs;
}

function inside(directory: string, file: string): string {
  return `${directory.replace(/(?<!\/)\/+$/, () => "")}/${file.slice(file.lastIndexOf("/") + 1)}`;
}

async function find({ fs, cwd }: NoIndexContext, name: string): Promise<PathEntry> {
  if (name === "-") return { name, stat: null };
  try {
    return { name, stat: await fs.lstat(absolute(cwd, name)) };
  } catch (cause) {
    if (name === "/dev/null") return { name, stat: null };
    throw new GitError("ENOTFOUND", `Could not access '${name}'`, { prefix: "error", exitCode: 1, cause });
  }
}

function absolute(cwd: string, name: string): string {
  return name.startsWith("/") ? name : `${cwd}/${name}`;
}

/** Entries of two directories, by name; `null` where one has none. */
async function entries(
  { fs, cwd }: NoIndexContext,
  from: PathEntry | null,
  to: PathEntry | null,
): Promise<[PathEntry | null, PathEntry | null][]> {
  const list = async (found: PathEntry | null) => {
    if (found === null) return [];
    const scanned = await fs.scan(absolute(cwd, found.name));
    const base = found.name.endsWith("/") ? found.name : `${found.name}/`;
    return scanned
      .map(({ name, stat }) => ({ key: name, found: { name: base + name, stat } }))
      .sort((x, y) => compareText(x.key, y.key));
  };
  const [a, b] = [await list(from), await list(to)];
  const pairs: [PathEntry | null, PathEntry | null][] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i], b[j]];
    const order = x === undefined ? 1 : y === undefined ? -1 : compareText(x.key, y.key);
    pairs.push([order <= 0 && x ? x.found : null, order >= 0 && y ? y.found : null]);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return pairs;
}

async function createPathPair(
  position: NoIndexContext,
  from: PathEntry | null,
  to: PathEntry | null,
): Promise<FilePair> {
  const isNothing = (found: PathEntry | null) => found === null || found.name === "/dev/null";
  const old = isNothing(from) ? missingFile("/dev/null") : await readFileSpec(position, from as PathEntry);
  const fresh = isNothing(to) ? missingFile("/dev/null") : await readFileSpec(position, to as PathEntry);
  return createPair(old, fresh);
}

async function readFileSpec(position: NoIndexContext, { name, stat }: PathEntry): Promise<FileSpec> {
  if (name === "-") return { path: name, mode: MODE_FILE, oid: null, input: await position.stdin() };
  const path = absolute(position.cwd, name);
  if (stat?.type === "symlink") {
    return { path: name, mode: MODE_SYMLINK, oid: null, input: encode(await position.fs.readlink(path)) };
  }
  const mode = stat && (stat.mode & 0o100) !== 0 ? MODE_EXECUTABLE : MODE_FILE;
  return { path: name, mode, oid: null, input: await position.fs.readFile(path) };
}
