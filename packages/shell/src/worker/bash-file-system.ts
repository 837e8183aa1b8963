/** Adapts the workspace's file system to just-bash's: the same verbs in other shapes, its commands as files, and /dev/null. */
import type { WorkBudget } from "@workspace/protocol";
import type { FileStat, FileSystem } from "@workspace/vfs";
import { fromBinaryString, toBinaryString } from "./byte-string.ts";
import { ensureTmpDirectory, TEMPORARY } from "./commands/paths.ts";
import { withDescriptorFiles } from "./descriptor-files.ts";

export interface BashStat {
  isFile: boolean;
  isDirectory: boolean;
  isSymbolicLink: boolean;
  mode: number;
  size: number;
  mtime: Date;
  ino?: number;
  identity?: string;
}
type Encoding = "utf8" | "utf-8" | "ascii" | "binary" | "base64" | "hex" | "latin1";

/** just-bash's `IFileSystem`, written out: a published declaration must not refer to the bundled just-bash. */
export interface BashFileSystem {
  readFile(path: string, options?: Encoding | { encoding?: Encoding | null }): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: a string that each version of just-bash brands for itself
  readFileBytes(path: string): Promise<any>;
  readFileBuffer(path: string): Promise<Uint8Array>;
  writeFile(path: string, content: string | Uint8Array, options?: Encoding | { encoding?: Encoding }): Promise<void>;
  appendFile(path: string, content: string | Uint8Array, options?: Encoding | { encoding?: Encoding }): Promise<void>;
  exists(path: string): Promise<boolean>;
  stat(path: string): Promise<BashStat>;
  lstat(path: string): Promise<BashStat>;
  mkdir(path: string, options?: { recursive?: boolean }): Promise<void>;
  readdir(path: string): Promise<string[]>;
  readdirWithFileTypes(
    path: string,
  ): Promise<{ name: string; isFile: boolean; isDirectory: boolean; isSymbolicLink: boolean }[]>;
  rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void>;
  cp(from: string, to: string, options?: { recursive?: boolean }): Promise<void>;
  mv(from: string, to: string): Promise<void>;
  resolvePath(base: string, path: string): string;
  getAllPaths(): string[];
  chmod(path: string, mode: number): Promise<void>;
  symlink(target: string, path: string): Promise<void>;
  link(existing: string, path: string): Promise<void>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  utimes(path: string, atime: Date, mtime: Date): Promise<void>;
  /** Used by the bundled just-bash alone: this file system with the files of process substitutions. */
  withDescriptors?(isLive: (path: string) => boolean): BashFileSystem;
}

const COMMAND = /^(?:\/usr)?\/bin\/([^/]+)$/;
const NULL_DEVICE = "/dev/null";

export interface BashFiles {
  /** The budget that reads count against; absent in a shell that we do not run. */
  readonly budget?: WorkBudget;
  isCommand(name: string): boolean;
  /** Reports it independently of the command: just-bash's commands treat an unreadable file as missing. */
  tooLarge?(path: string): void;
}

export function createBashFileSystem(fs: FileSystem, { isCommand, tooLarge, budget }: BashFiles): BashFileSystem {
  const stub = (path: string) => {
    const name = COMMAND.exec(path)?.[1];
    return name !== undefined && isCommand(name) ? `#!/bin/bash\n# ${name} of the Worker's shell\n` : null;
  };
  const read = async (path: string): Promise<Uint8Array> => {
    if (path === NULL_DEVICE) return new Uint8Array(0);
    const text = stub(path);
    if (text !== null) return new TextEncoder().encode(text);
    const bytes = await fs.readFile(path).catch((error: unknown) => {
      if ((error as { code?: string }).code === "EFBIG") tooLarge?.(path);
      throw error;
    });
    // The command decodes and scans it before anything else can run.
    budget?.spend(0, bytes.length);
    await budget?.checkpoint();
    return bytes;
  };
  const stat = async (path: string, look: (path: string) => Promise<FileStat>): Promise<BashStat> => {
    if (path === NULL_DEVICE) return virtual(0o20666, 0);
    const text = stub(path);
    return text === null ? toBashStat(await look(path)) : virtual(0o100755, text.length);
  };
  const place = (path: string) => ensureTmpDirectory(fs, path);
  const put = async (path: string, content: string | Uint8Array, options: unknown, flag: "w" | "a") => {
    if (path === NULL_DEVICE) return;
    await place(path);
    await fs.writeFile(path, encoded(content, options), { flag });
  };
  const adapted: BashFileSystem = {
    readFile: async (path, options) => decoded(await read(path), options),
    readFileBytes: async (path) => toBinaryString(await read(path)),
    readFileBuffer: read,
    writeFile: (path, content, options) => put(path, content, options, "w"),
    appendFile: (path, content, options) => put(path, content, options, "a"),
    exists: async (path) => path === NULL_DEVICE || path === TEMPORARY || stub(path) !== null || fs.exists(path),
    stat: async (path) => {
      if (path === TEMPORARY) await place(path);
      return stat(path, fs.stat);
    },
    lstat: (path) => stat(path, fs.lstat),
    mkdir: async (path, options) => {
      await place(path);
      await fs.mkdir(path, { recursive: options?.recursive === true });
    },
    readdir: async (path) => {
      if (path === TEMPORARY) await place(path);
      return fs.readdir(path);
    },
    readdirWithFileTypes: async (path) => {
      if (path === TEMPORARY) await place(path);
      const entries = await fs.readdir(path, { withFileTypes: true });
      return entries.map(({ name, type }) => ({
        name,
        isFile: type === "file",
        isDirectory: type === "dir",
        isSymbolicLink: type === "symlink",
      }));
    },
    // just-bash's `rmdir` calls it this way.
    rm: async (path, options) => {
      const [recursive, force] = [options?.recursive === true, options?.force === true];
      const stat = recursive ? null : await fs.lstat(path).catch(() => null);
      await (stat?.isDirectory() ? fs.rmdir(path) : fs.rm(path, { recursive, force }));
    },
    cp: async (from, to, options) => {
      await place(to);
      await fs.cp(from, to, { recursive: options?.recursive === true, verbatimSymlinks: true });
    },
    mv: async (from, to) => {
      await place(to);
      await fs.rename(from, to);
    },
    resolvePath: (base, path) => resolvePath(base, path),
    // Only called by commands that list an in-memory file system.
    getAllPaths: () => [],
    chmod: (path, mode) => fs.chmod(path, mode),
    symlink: async (target, path) => {
      await place(path);
      await fs.symlink(target, path);
    },
    link: (existing, path) => fs.link(existing, path),
    readlink: (path) => fs.readlink(path),
    realpath: async (path) => (path === NULL_DEVICE || stub(path) !== null ? path : fs.realpath(path)),
    utimes: (path, atime, mtime) => fs.utimes(path, atime, mtime),
    withDescriptors: (isLive) => withDescriptorFiles(adapted, isLive),
  };
  return adapted;
}

/** Joins a word to the directory as a shell does: by text, before any link is resolved. */
function resolvePath(base: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${base}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

function toBashStat(stat: FileStat): BashStat {
  return {
    isFile: stat.isFile(),
    isDirectory: stat.isDirectory(),
    isSymbolicLink: stat.isSymbolicLink(),
    mode: stat.mode & 0o7777,
    size: stat.size,
    mtime: stat.mtime,
    ino: stat.ino,
    identity: String(stat.ino),
  };
}

function virtual(mode: number, size: number): BashStat {
  return { isFile: true, isDirectory: false, isSymbolicLink: false, mode: mode & 0o7777, size, mtime: new Date(0) };
}

function encodingIn(options: unknown): string {
  const named = typeof options === "string" ? options : (options as { encoding?: string } | undefined)?.encoding;
  return named ?? "utf8";
}

function encoded(content: string | Uint8Array, options: unknown): string | Uint8Array {
  if (typeof content !== "string") return content;
  const encoding = encodingIn(options);
  return encoding === "binary" || encoding === "latin1" ? fromBinaryString(content) : content;
}

function decoded(bytes: Uint8Array, options: unknown): string {
  const encoding = encodingIn(options);
  if (encoding === "binary" || encoding === "latin1") return toBinaryString(bytes);
  return new TextDecoder("utf-8", { ignoreBOM: true, fatal: false }).decode(bytes);
}
