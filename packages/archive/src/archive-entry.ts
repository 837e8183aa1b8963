/** One entry of an archive, read or written. Names are relative, joined with `/`, without a trailing slash. */
export interface ArchiveEntry {
  name: string;
  type: "file" | "dir" | "symlink";
  /** Permission bits only. */
  mode: number;
  mtimeMs: number;
  /** Of a file. */
  size: number;
  /** Of a file: exactly `size` bytes. Small files are a single array. */
  content?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Of a link. */
  target?: string;
}
