/**
 * The shape that read, write, edit and apply_patch stand on: four methods are enough (an SSH bridge, a remote working tree), the
 * optional ones make it cheaper or safer. Paths are absolute; a missing path is null, but for `readChunks`, which rejects with ENOENT.
 */
export interface FileStore {
  stat(path: string): Promise<FileStat | null>;
  read(path: string): Promise<Uint8Array | null>;
  /** `end` is exclusive. A store that knows no ranges may ignore them: it is then asked for all and cut here. */
  readChunks(path: string, range?: { start?: number; end?: number }): AsyncIterable<Uint8Array>;
  /** Makes parents; keeps nothing of the old content. A store with versions gives back a `FileWritten`. */
  write(path: string, bytes: Uint8Array, options?: FileWriteOptions): Promise<unknown>;

  /** Whether `readChunks` honours its range. */
  readonly ranged?: boolean;
  append?(path: string, bytes: Uint8Array, options?: FileWriteOptions): Promise<unknown>;
  remove?(path: string, options?: { ifVersion?: string | null }): Promise<void>;
  /** All or nothing. */
  writeMany?(changes: readonly FileChange[]): Promise<void>;
  /** With every link resolved; rejects with ENOENT. A store without links need not have it. */
  realpath?(path: string): Promise<string>;
}

export interface FileStat {
  size: number;
  mode: number;
  /** Milliseconds since 1970. */
  mtime: number;
  type: "file" | "dir";
  /** Equal exactly when nothing changed; without it a hash of the content stands in. */
  version?: string;
  contentVersion?: string;
}

export interface FileWriteOptions {
  mode?: number;
  /** The version the file must have now, null: it must not exist; a store without versions ignores it. */
  ifVersion?: string | null;
}

export interface FileWritten {
  version?: string;
  contentVersion?: string;
}

export interface FileChange {
  path: string;
  /** Null: remove it. */
  bytes: Uint8Array | null;
  mode?: number;
  ifVersion?: string | null;
}
