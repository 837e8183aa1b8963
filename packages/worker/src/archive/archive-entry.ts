/** One thing in an archive, on its way in or out. Names are relative, joined with `/`, without one at the end. */
export interface ArchiveEntry {
  name: string;
  type: "file" | "dir" | "symlink";
  /** Permission bits alone. */
  mode: number;
  mtimeMs: number;
  /** Of a file. */
  size: number;
  /** Of a file: exactly `size` bytes. Small ones are whole. */
  content?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Of a link. */
  target?: string;
}
