/** Plays a sequence on any `FileSystem` and tells what came of it: each operation's outcome, and the tree at the end. */
import type { FileHandle, FileStat, FileSystem } from "@workspace/vfs";
import type { Bytes, HandleStep, Operation, PathOperation } from "./operation.ts";

/** A result as plain data, or an error's code. */
export type Outcome = { ok: unknown } | { error: string };

/** One line per path, sorted; equal exactly when the trees are. */
export type Tree = string[];

export interface Played {
  outcomes: Outcome[];
  tree: Tree;
}

export interface PlayHooks {
  /** Wraps what on `node:fs` changes something when it fails: `cp` leaves half of it behind, `copyFile` removes the target. */
  atomically?<T>(action: () => Promise<T>): Promise<T>;
}

/** `root` must be two levels below anything else: see `operation.ts`. */
export async function play(
  fs: FileSystem,
  root: string,
  operations: Operation[],
  hooks: PlayHooks = {},
): Promise<Played> {
  await fs.mkdir(root, { recursive: true });
  const outcomes: Outcome[] = [];
  const open: OpenHandles = new Map();
  for (const operation of operations) outcomes.push(await outcomeOf(() => run(fs, root, operation, open, hooks)));
  for (const file of open.values()) await file.close();
  return { outcomes, tree: await treeOf(fs, root) };
}

type OpenHandles = Map<number, FileHandle>;

async function outcomeOf(action: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { ok: (await action()) ?? null };
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    return { error: code ?? `no code: ${message}` };
  }
}

async function run(
  fs: FileSystem,
  root: string,
  operation: Operation,
  open: OpenHandles,
  hooks: PlayHooks,
): Promise<unknown> {
  switch (operation.op) {
    case "handle":
      return runHandle(fs, root, operation, hooks);
    case "open": {
      await open.get(operation.handle)?.close();
      open.delete(operation.handle);
      const file = await fs.open(`${root}/${operation.path}`, operation.flags);
      open.set(operation.handle, file);
      // Ours empties a file when it commits.
      return file.sync();
    }
    case "step": {
      const file = open.get(operation.handle);
      if (file === undefined) return "not open";
      const outcome = await runStep(fs, root, file, operation.step, hooks);
      await file.sync();
      return outcome;
    }
    case "close":
      await open.get(operation.handle)?.close();
      open.delete(operation.handle);
      return;
    default:
      return runPath(fs, root, operation, hooks);
  }
}

async function runPath(fs: FileSystem, root: string, operation: PathOperation, hooks: PlayHooks): Promise<unknown> {
  const at = (path: string) => (path === "" ? "" : `${root}/${path}`);
  switch (operation.op) {
    case "writeFile": {
      const { path, content, flag, mode } = operation;
      await fs.writeFile(at(path), bytesOf(content), { flag, mode });
      return;
    }
    case "appendFile":
      await fs.appendFile(at(operation.path), bytesOf(operation.content));
      return;
    case "truncate":
      return fs.truncate(at(operation.path), operation.length);
    case "readFile":
      return digest(await fs.readFile(at(operation.path)));
    case "readdir":
      return (await fs.readdir(at(operation.path))).sort();
    case "scan":
      return (await fs.scan(at(operation.path))).map(({ name, stat }) => `${name} ${described(stat)}`);
    case "stat":
    case "lstat":
      return described(await fs[operation.op](at(operation.path)));
    case "realpath":
    case "readlink":
    case "exists":
      return fs[operation.op](at(operation.path));
    case "mkdir":
      return folded(await fs.mkdir(at(operation.path), { recursive: operation.recursive, mode: operation.mode }));
    case "rmdir":
    case "unlink":
      return fs[operation.op](at(operation.path));
    case "rm":
      return fs.rm(at(operation.path), { recursive: operation.recursive, force: operation.force });
    case "rename":
    case "link":
      return fs[operation.op](at(operation.from), at(operation.to));
    case "copyFile": {
      const copy = () => fs.copyFile(at(operation.from), at(operation.to), { exclusive: operation.exclusive });
      return hooks.atomically ? hooks.atomically(copy) : copy();
    }
    case "cp": {
      const { op: _, from, to, ...options } = operation;
      if (await overlaps(fs, at(from), at(to))) return "not played: source and target overlap";
      const copy = () => fs.cp(at(from), at(to), options);
      return hooks.atomically ? hooks.atomically(copy) : copy();
    }
    case "symlink":
      return fs.symlink(operation.absolute ? `${root}/${operation.target}` : operation.target, at(operation.path));
    case "chmod":
      return fs.chmod(at(operation.path), operation.mode);
    case "utimes":
    case "lutimes":
      return fs[operation.op](at(operation.path), operation.seconds, operation.seconds);
    case "writeMany":
      return runWriteMany(
        fs,
        operation.files.map(({ path, content }) => ({ path: at(path), content })),
        hooks,
      );
    default:
      operation satisfies never;
  }
}

/** The first directory made, in the caller's spelling but for slashes and dots. */
function folded(path: string | undefined): string | undefined {
  return path?.replace(/\/(\.?\/)+/g, () => "/").replace(/\/\.?$/, () => "");
}

/** Only its success is compared: what it says of a bad entry is ours to define, and `node:fs` has no such call. */
async function runWriteMany(
  fs: FileSystem,
  files: { path: string; content: string }[],
  hooks: PlayHooks,
): Promise<unknown> {
  const write = async () => {
    await fs.writeMany(files);
  };
  return (hooks.atomically ? hooks.atomically(write) : write()).catch(() => "failed");
}

/**
 * Into itself through a link Node recurses without end, as it compares the textual parents of the target only; out of itself into
 * a directory above, what it copies depends on the order in which it meets it.
 */
async function overlaps(fs: FileSystem, from: string, to: string): Promise<boolean> {
  try {
    const source = `${await fs.realpath(from)}/`;
    for (let target = to; target !== ""; target = target.slice(0, target.lastIndexOf("/"))) {
      if (!(await fs.exists(target))) continue;
      const nearest = `${await fs.realpath(target)}/`;
      return nearest.startsWith(source) || (target === to && source.startsWith(nearest));
    }
  } catch {
    // A bad path: cp itself will say so.
  }
  return false;
}

async function runHandle(
  fs: FileSystem,
  root: string,
  { path, flags, steps }: Extract<Operation, { op: "handle" }>,
  hooks: PlayHooks,
): Promise<Outcome[]> {
  const file = await fs.open(path === "" ? "" : `${root}/${path}`, flags);
  const outcomes: Outcome[] = [];
  try {
    for (const step of steps) outcomes.push(await outcomeOf(() => runStep(fs, root, file, step, hooks)));
  } finally {
    await file.close();
  }
  return outcomes;
}

async function runStep(
  fs: FileSystem,
  root: string,
  file: FileHandle,
  step: HandleStep,
  hooks: PlayHooks,
): Promise<unknown> {
  switch (step.step) {
    case "write": {
      const content = bytesOf(step.content);
      return (await file.write(content, 0, content.length, step.position)).bytesWritten;
    }
    case "read": {
      const buffer = new Uint8Array(step.length);
      const { bytesRead } = await file.read(buffer, 0, step.length, step.position);
      return digest(buffer.subarray(0, bytesRead));
    }
    case "truncate":
      return file.truncate(step.length);
    case "readFile":
      return digest(await file.readFile());
    case "stat":
      return described(await file.stat());
    case "sync":
      return file.sync();
    case "writeFile":
      return file.writeFile(bytesOf(step.content));
    case "chmod":
      return file.chmod(step.mode);
    case "meanwhile":
      await file.sync();
      return runPath(fs, root, step.operation, hooks);
    default:
      step satisfies never;
  }
}

/** Every path with type, mode, content or target, names of the same inode, and mtime where one was set by hand. */
export async function treeOf(fs: FileSystem, root: string): Promise<Tree> {
  const lines: [path: string, ino: number, line: string][] = [];
  const walk = async (directory: string) => {
    for (const name of (await fs.readdir(directory)).sort()) {
      const path = `${directory}/${name}`;
      const stat = await fs.lstat(path);
      const shown = path.slice(root.length + 1);
      lines.push([shown, stat.ino, `${described(stat)} ${set(stat)} ${await contentOf(fs, path, stat)}`]);
      if (stat.isDirectory()) await walk(path);
    }
  };
  if (await fs.exists(root)) await walk(root);
  const firstName = new Map<number, string>();
  return lines.map(([path, ino, line]) => {
    if (!firstName.has(ino)) firstName.set(ino, path);
    const first = firstName.get(ino);
    return first === path ? `${path} ${line}` : `${path} = ${first} ${line}`;
  });
}

async function contentOf(fs: FileSystem, path: string, stat: FileStat): Promise<string> {
  if (stat.isDirectory()) return "";
  return stat.isSymbolicLink() ? `-> ${await fs.readlink(path)}` : digest(await fs.readFile(path));
}

/** A directory's size and link count are each file system's own. */
function described(stat: FileStat): string {
  const mode = (stat.mode & 0o777).toString(8);
  if (stat.isDirectory()) return `dir ${mode}`;
  return `${stat.isSymbolicLink() ? "link" : "file"} ${mode} size ${stat.size} nlink ${stat.nlink}`;
}

/**
 * Operations set times of a few thousand seconds; anything else is the clock's. An empty file is left out: libuv gives a copy
 * the source's times before it writes, and then writes nothing.
 */
function set(stat: FileStat): string {
  if (stat.isFile() && stat.size === 0) return "";
  return stat.mtimeMs < 100_000_000 ? `mtime ${stat.mtimeMs}` : "mtime now";
}

function bytesOf(content: Bytes): Uint8Array {
  if (typeof content === "string") return new TextEncoder().encode(content);
  const bytes = new Uint8Array(content.size);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 31 + (i >> 8) * 7 + content.seed * 13) & 0xff;
  return bytes;
}

/** Short contents as they are, so that a failure can be read; long ones as length and FNV-1a. */
function digest(bytes: Uint8Array): string {
  if (bytes.length <= 64) return JSON.stringify(new TextDecoder().decode(bytes));
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${bytes.length} bytes, ${(hash >>> 0).toString(16)}`;
}
