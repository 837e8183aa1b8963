/** An in-memory `FileStore` for tests. A directory exists while it has entries, or if it was created explicitly. */
import type { FileChange, FileStat, FileStore, FileWriteOptions, FileWritten } from "./file-store.ts";

interface StoredFile {
  bytes: Uint8Array;
  mode: number;
  mtime: number;
  version: string;
}

const CHUNK_BYTES = 64 * 1024;

export class InMemoryFileStore implements FileStore {
  readonly ranged = true;
  readonly #files = new Map<string, StoredFile>();
  readonly #now: () => number;
  #revision = 0;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}, options: { now?: () => number } = {}) {
    this.#now = options.now ?? (() => Date.now());
    for (const [path, content] of Object.entries(files)) {
      this.#put(path, typeof content === "string" ? new TextEncoder().encode(content) : content, {});
    }
  }

  /** All paths, sorted. */
  paths(): string[] {
    return [...this.#files.keys()].sort();
  }

  async stat(path: string): Promise<FileStat | null> {
    const file = this.#files.get(path);
    if (file !== undefined) {
      const { bytes, mode, mtime, version } = file;
      return { size: bytes.length, mode, mtime, type: "file", version, contentVersion: version };
    }
    const prefix = path === "/" ? "/" : `${path}/`;
    for (const name of this.#files.keys()) {
      if (name.startsWith(prefix)) return { size: 0, mode: 0o755, mtime: 0, type: "dir" };
    }
    return path === "/" ? { size: 0, mode: 0o755, mtime: 0, type: "dir" } : null;
  }

  async read(path: string): Promise<Uint8Array | null> {
    return this.#files.get(path)?.bytes.slice() ?? null;
  }

  async *readChunks(path: string, range: { start?: number; end?: number } = {}): AsyncGenerator<Uint8Array> {
    const file = this.#files.get(path);
    if (file === undefined) throw failure("ENOENT", "no such file", path);
    const end = Math.min(range.end ?? file.bytes.length, file.bytes.length);
    for (let at = range.start ?? 0; at < end; at += CHUNK_BYTES) {
      yield file.bytes.slice(at, Math.min(at + CHUNK_BYTES, end));
    }
  }

  async write(path: string, bytes: Uint8Array, options: FileWriteOptions = {}): Promise<FileWritten> {
    this.#check(path, options.ifVersion);
    return this.#put(path, new Uint8Array(bytes), options);
  }

  async append(path: string, bytes: Uint8Array, options: FileWriteOptions = {}): Promise<FileWritten> {
    this.#check(path, options.ifVersion);
    const before = this.#files.get(path)?.bytes ?? new Uint8Array(0);
    const whole = new Uint8Array(before.length + bytes.length);
    whole.set(before);
    whole.set(bytes, before.length);
    return this.#put(path, whole, options);
  }

  async remove(path: string): Promise<void> {
    if (!this.#files.delete(path)) throw failure("ENOENT", "no such file", path);
  }

  async writeMany(changes: readonly FileChange[]): Promise<void> {
    for (const { path, ifVersion } of changes) this.#check(path, ifVersion);
    for (const { path, bytes, mode } of changes) {
      if (bytes === null) this.#files.delete(path);
      else this.#put(path, new Uint8Array(bytes), { mode });
    }
  }

  #check(path: string, ifVersion: string | null | undefined): void {
    if (path.endsWith("/") || !path.startsWith("/")) throw failure("EINVAL", "not an absolute path of a file", path);
    if (ifVersion === undefined) return;
    if ((this.#files.get(path)?.version ?? null) !== ifVersion) throw failure("ESTALE", "the file changed", path);
  }

  #put(path: string, bytes: Uint8Array, { mode }: FileWriteOptions): FileWritten {
    const version = `m.${++this.#revision}`;
    this.#files.set(path, { bytes, mode: mode ?? this.#files.get(path)?.mode ?? 0o644, mtime: this.#now(), version });
    return { version, contentVersion: version };
  }
}

function failure(code: string, reason: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${reason}, '${path}'`), { code, path });
}
