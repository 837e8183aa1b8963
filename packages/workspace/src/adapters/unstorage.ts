/**
 * A driver of unstorage: `createStorage({ driver: asUnstorageDriver(workspace.fs, { base: "/workspace/data" }) })`. A key is a path
 * below `base`, with colons for slashes, as in unstorage's own `fs` driver. Values are files: an agent's tools see them too.
 */
import { type Change, type FileStat, type FileSystem, FsError } from "@workspace/vfs";

export interface UnstorageOptions {
  /** The directory of the values; created with the first one. */
  base: string;
}

/** The members of unstorage's `Driver` that this one has. */
export interface UnstorageDriver {
  name: string;
  flags: { maxDepth: true };
  options: UnstorageOptions;
  getInstance(): FileSystem;
  hasItem(key: string): Promise<boolean>;
  getItem(key: string): Promise<string | null>;
  getItemRaw(key: string): Promise<Uint8Array | null>;
  getItems(items: { key: string }[]): Promise<{ key: string; value: string | null }[]>;
  setItem(key: string, value: string): Promise<void>;
  setItemRaw(key: string, value: unknown): Promise<void>;
  setItems(items: { key: string; value: string }[]): Promise<void>;
  removeItem(key: string): Promise<void>;
  getMeta(key: string): Promise<UnstorageMeta | null>;
  getKeys(base?: string, options?: { maxDepth?: number }): Promise<string[]>;
  clear(base?: string): Promise<void>;
  watch(callback: (event: "update" | "remove", key: string) => unknown): Promise<() => Promise<void>>;
}

/** A type and not an interface: unstorage's own has an index signature. */
export type UnstorageMeta = { atime: Date; mtime: Date; ctime: Date; birthtime: Date; size: number };

export function asUnstorageDriver(fs: FileSystem, { base: given }: UnstorageOptions): UnstorageDriver {
  if (typeof given !== "string" || !given.startsWith("/"))
    throw new FsError("EINVAL", { syscall: "asUnstorageDriver", reason: "`base` must be an absolute path" });
  const base = given.replace(/(?<=[^/])\/+$|(?<=^\/)\/+$/, () => "");
  const pathOf = (key: string) => `${base}/${relativePath(key)}`;
  const write = (path: string, content: string | Uint8Array) => fs.writeMany([{ path, content }]);
  const keysBelow = async (prefix = "", maxDepth?: number) => {
    const start = prefix === "" ? base : pathOf(prefix.replace(/:$/, ""));
    const found = await orIfAbsent(fs.find(base, { type: "file" }), []);
    const below = found.map(({ path }) => path).filter((path) => path.startsWith(`${start}/`));
    const keys = below.map((path) => path.slice(base.length + 1).replaceAll("/", ":"));
    return maxDepth === undefined ? keys : keys.filter((key) => key.split(":").length <= maxDepth + 1);
  };
  return {
    name: "workspace",
    flags: { maxDepth: true },
    options: { base },
    getInstance: () => fs,
    hasItem: async (key) => (await orIfAbsent<FileStat | null>(fs.stat(pathOf(key)), null))?.isFile() ?? false,
    getItem: (key) => orIfAbsent<string | null>(fs.readFile(pathOf(key), "utf8"), null),
    getItemRaw: (key) => orIfAbsent<Uint8Array | null>(fs.readFile(pathOf(key)), null),
    async getItems(items) {
      const contents = await fs.readMany(items.map(({ key }) => pathOf(key)));
      return items.map(({ key }, at) => ({ key, value: decoded(contents[at] ?? null) }));
    },
    setItem: async (key, value) => void (await write(pathOf(key), value)),
    setItemRaw: async (key, value) => void (await write(pathOf(key), bytesOf(key, value))),
    setItems: async (items) =>
      void (await fs.writeMany(items.map(({ key, value }) => ({ path: pathOf(key), content: value })))),
    removeItem: (key) => orIfAbsent(fs.unlink(pathOf(key)), undefined),
    async getMeta(key) {
      const stat = await orIfAbsent<FileStat | null>(fs.stat(pathOf(key)), null);
      if (stat === null) return null;
      const { atime, mtime, ctime, birthtime, size } = stat;
      return { atime, mtime, ctime, birthtime, size };
    },
    getKeys: (prefix, options) => keysBelow(prefix, options?.maxDepth),
    async clear(prefix) {
      const keys = await keysBelow(prefix);
      await fs.writeMany(keys.map((key) => ({ path: pathOf(key), type: "remove" as const })));
    },
    async watch(callback) {
      await fs.mkdir(base, { recursive: true });
      const abort = new AbortController();
      const events = fs.watch(base, { recursive: true, signal: abort.signal })[Symbol.asyncIterator]();
      const keyOf = (path: string) => path.slice(base.length + 1).replaceAll("/", ":");
      const tell = ({ type, op, path, from }: Change) => {
        if (type === "dir") return;
        if (from?.startsWith(`${base}/`)) callback("remove", keyOf(from));
        if (path.startsWith(`${base}/`)) callback(op === "remove" ? "remove" : "update", keyOf(path));
      };
      const ended = (async () => {
        for (let next = await events.next(); !next.done; next = await events.next()) tell(next.value.change);
      })().catch((error: unknown) => {
        if (!abort.signal.aborted) throw error;
      });
      return async () => {
        abort.abort();
        await ended;
      };
    },
  };
}

function relativePath(key: string): string {
  const parts = key.split(/[:/\\]/);
  if (parts.some((part) => part === ".." || part === "." || part === ""))
    throw new FsError("EINVAL", { syscall: "unstorage", reason: `invalid key ${JSON.stringify(key)}` });
  return parts.join("/");
}

function bytesOf(key: string, value: unknown): string | Uint8Array {
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const reason = `the raw value of ${JSON.stringify(key)} must be a string or bytes`;
  throw new FsError("EINVAL", { syscall: "setItemRaw", reason });
}

function decoded(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}

/** A key whose path is missing, a directory, or below a file has no value. */
async function orIfAbsent<T>(answer: Promise<T>, absent: T): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (["ENOENT", "EISDIR", "ENOTDIR"].includes((error as FsError).code)) return absent;
    throw error;
  }
}
