/** A workspace as a `FileStore`, with versions, ranges, atomic append and atomic writes of several files. */

import type { BulkEntry, FileStat as WorkspaceStat } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import type { FileChange, FileStat, FileStore, FileWriteOptions, FileWritten } from "./file-store.ts";

const PERMISSIONS = 0o7777;
const UMASK = 0o022;

export class WorkspaceFileStore implements FileStore {
  readonly ranged = true;
  /** Tools made with this store use the workspace itself: under their call's name, within its root, with its history. */
  readonly workspace: ToolWorkspace;
  readonly #fs: ToolWorkspace["fs"];

  constructor(workspace: ToolWorkspace) {
    this.workspace = workspace;
    this.#fs = workspace.fs;
  }

  async stat(path: string): Promise<FileStat | null> {
    const found = this.workspace[internals]?.lookupPath?.(path);
    const stat = found ? found.stat : await orNull(this.#fs.stat(path));
    return stat === null ? null : fileStatOf(stat);
  }

  read(path: string): Promise<Uint8Array | null> {
    return orNull(this.#fs.readFile(path));
  }

  async *readChunks(path: string, range: { start?: number; end?: number } = {}): AsyncGenerator<Uint8Array> {
    const { start = 0, end } = range;
    if (end !== undefined && end <= start) return;
    if (end !== undefined && end - start <= SMALL_RANGE) {
      yield await this.#fs.readRange(path, start, end - start);
      return;
    }
    yield* await this.#fs.readStream(path, end === undefined ? { start } : { start, end: end - 1 });
  }

  async write(path: string, bytes: Uint8Array, { mode, ifVersion }: FileWriteOptions = {}): Promise<FileWritten> {
    const options = ifVersion === undefined ? { mode } : { mode, ifVersion };
    try {
      return await this.#fs.writeFile(path, bytes, options);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      return this.#create(path, bytes, options);
    }
  }

  async append(path: string, bytes: Uint8Array, { mode, ifVersion }: FileWriteOptions = {}): Promise<FileWritten> {
    const options = ifVersion === undefined ? { mode } : { mode, ifVersion };
    try {
      return await this.#fs.appendFile(path, bytes, options);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      return this.#create(path, bytes, options);
    }
  }

  /** Creates the parent directories in the same change: a policy may allow them only on the way to the file. */
  async #create(path: string, bytes: Uint8Array, { mode, ifVersion }: FileWriteOptions): Promise<FileWritten> {
    const bits = mode === undefined ? {} : { mode: mode & ~UMASK };
    const { versions } = await this.#fs.writeMany([{ path, content: bytes, ...bits, ifVersion: ifVersion ?? null }]);
    const version = versions[0] ?? undefined;
    return version === undefined ? {} : { version, contentVersion: version };
  }

  remove(path: string, { ifVersion }: { ifVersion?: string | null } = {}): Promise<void> {
    return this.#fs.unlink(path, ifVersion === undefined ? {} : { ifVersion });
  }

  async writeMany(changes: readonly FileChange[]): Promise<void> {
    await this.#fs.writeMany(changes.map(toEntry));
  }

  realpath(path: string): Promise<string> {
    return this.#fs.realpath(path);
  }
}

const SMALL_RANGE = 512 * 1024;

/** Converts the workspace's stat of a file or directory; for a link, pass the stat of its target. */
export function fileStatOf({ size, mode, mtimeMs, version, contentVersion, type }: WorkspaceStat): FileStat {
  const kind = type === "dir" ? "dir" : "file";
  return { size, mode: mode & PERMISSIONS, mtime: mtimeMs, type: kind, version, contentVersion };
}

function toEntry({ path, bytes, mode, ifVersion }: FileChange): BulkEntry {
  const guard = ifVersion === undefined ? {} : { ifVersion };
  if (bytes === null) return { path, type: "remove", ...guard };
  return { path, content: bytes, ...(mode === undefined ? {} : { mode }), ...guard };
}

async function orNull<T>(promise: Promise<T>): Promise<T | null> {
  try {
    return await promise;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
