/**
 * The files `/dev/fd/N` of process substitutions, in memory, over another file system. just-bash mounts them with the first one; its
 * own mounts would need its whole in-memory file system.
 */
import type { BashFileSystem, BashStat } from "./bash-file-system.ts";
import { fromBinaryString, toBinaryString } from "./byte-string.ts";

const DIRECTORY = "/dev/fd";
const TWO_PATHS = new Set(["cp", "mv", "link", "symlink"]);

/** `isLive`: whether a process substitution has this descriptor. Only such a file can be written. */
export function withDescriptorFiles(fs: BashFileSystem, isLive: (path: string) => boolean): BashFileSystem {
  const files = new Map<string, Uint8Array>();
  const isInside = (path: string) => path === DIRECTORY || path.startsWith(`${DIRECTORY}/`);
  const content = (path: string, verb: string) => {
    const bytes = files.get(path);
    if (bytes !== undefined) return bytes;
    if (path === DIRECTORY) throw new Error(`EISDIR: illegal operation on a directory, ${verb} '${path}'`);
    throw new Error(`ENOENT: no such file or directory, ${verb} '${path}'`);
  };
  const refuse = (path: string, verb: string) => new Error(`EROFS: read-only file system, ${verb} '${path}'`);
  const put = (path: string, bytes: Uint8Array, verb: string) => {
    if (!isLive(path)) throw refuse(path, verb);
    files.set(path, bytes);
  };
  const stat = async (path: string): Promise<BashStat> => ({
    isFile: path !== DIRECTORY,
    isDirectory: path === DIRECTORY,
    isSymbolicLink: false,
    mode: path === DIRECTORY ? 0o755 : 0o644,
    size: path === DIRECTORY ? 0 : content(path, "stat").length,
    mtime: new Date(0),
    identity: path,
  });
  const inside: Partial<BashFileSystem> = {
    readFile: async (path, options) => {
      const encoding = typeof options === "string" ? options : options?.encoding;
      const bytes = content(path, "open");
      return encoding === "binary" || encoding === "latin1" ? toBinaryString(bytes) : new TextDecoder().decode(bytes);
    },
    readFileBytes: async (path) => toBinaryString(content(path, "open")),
    readFileBuffer: async (path) => content(path, "open"),
    writeFile: async (path, text, options) => put(path, encode(text, options), "write"),
    appendFile: async (path, text, options) => {
      const [before, after] = [files.get(path) ?? new Uint8Array(0), encode(text, options)];
      const bytes = new Uint8Array(before.length + after.length);
      bytes.set(before);
      bytes.set(after, before.length);
      put(path, bytes, "append");
    },
    exists: async (path) => path === DIRECTORY || files.has(path),
    stat,
    lstat: stat,
    readdir: async () => [...files.keys()].map((path) => path.slice(DIRECTORY.length + 1)),
    readdirWithFileTypes: async () =>
      [...files.keys()].map((path) => ({
        name: path.slice(DIRECTORY.length + 1),
        isFile: true,
        isDirectory: false,
        isSymbolicLink: false,
      })),
    rm: async (path) => {
      if (!isLive(path)) throw refuse(path, "rm");
      files.delete(path);
    },
    realpath: async (path) => path,
  };
  const own: Record<string, unknown> = {};
  for (const [name, verb] of Object.entries(fs)) {
    if (name === "resolvePath" || name === "getAllPaths") continue;
    const here = inside[name as keyof BashFileSystem] as ((...args: unknown[]) => unknown) | undefined;
    own[name] = async (...args: unknown[]) => {
      const paths = args.slice(0, TWO_PATHS.has(name) ? 2 : 1) as string[];
      if (!paths.some(isInside)) return verb(...args);
      if (here === undefined) throw refuse(paths.find(isInside) ?? "", name);
      return here(...args);
    };
  }
  const copy: BashFileSystem["cp"] = async (from, to, options) => {
    if (isInside(to)) throw refuse(to, "cp");
    await (isInside(from) ? fs.writeFile(to, content(from, "open")) : fs.cp(from, to, options));
  };
  return { ...fs, ...own, cp: copy } as BashFileSystem;
}

function encode(text: string | Uint8Array, options: unknown): Uint8Array {
  if (typeof text !== "string") return text;
  const encoding = typeof options === "string" ? options : (options as { encoding?: string } | undefined)?.encoding;
  return encoding === "binary" || encoding === "latin1" ? fromBinaryString(text) : new TextEncoder().encode(text);
}
