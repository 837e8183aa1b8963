/**
 * The interface that read, write, edit and apply_patch need: four methods are enough (an SSH bridge, a remote working tree), the
 * optional ones make it cheaper or safer. Paths are absolute; a missing path is null, except for `readChunks`, which rejects with
 * ENOENT.
 */
export interface FileStore {
  stat(path: string): Promise<FileStat | null>;
  read(path: string): Promise<Uint8Array | null>;
  /** `end` is exclusive. A store without ranges may ignore them: the caller then reads everything and cuts it. */
  readChunks(path: string, range?: { start?: number; end?: number }): AsyncIterable<Uint8Array>;
  /** Creates parents; replaces the whole content. A store with versions returns a `FileWritten`. */
  write(path: string, bytes: Uint8Array, options?: FileWriteOptions): Promise<unknown>;

  /** Whether `readChunks` respects its range. */
  readonly ranged?: boolean;
  append?(path: string, bytes: Uint8Array, options?: FileWriteOptions): Promise<unknown>;
  remove?(path: string, options?: { ifVersion?: string | null }): Promise<void>;
  /** All or nothing. */
  writeMany?(changes: readonly FileChange[]): Promise<void>;
  /** With every link resolved; rejects with ENOENT. A store without links may omit it. */
  realpath?(path: string): Promise<string>;
}

export interface FileStat {
  size: number;
  mode: number;
  /** Milliseconds since 1970. */
  mtime: number;
  type: "file" | "dir";
  /** Equal exactly if nothing changed; without it a content hash is used. */
  version?: string;
  contentVersion?: string;
}

export interface FileWriteOptions {
  mode?: number;
  /** The required current version, null: the file must not exist; a store without versions ignores it. */
  ifVersion?: string | null;
}

export interface FileWritten {
  version?: string;
  contentVersion?: string;
}

export interface FileChange {
  path: string;
  /** Null: remove the file. */
  bytes: Uint8Array | null;
  mode?: number;
  ifVersion?: string | null;
}
