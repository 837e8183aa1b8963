/** A directory as `GET files/*path` lists it. Plain types, so that a page in a browser can use them. */
export interface ListedEntry {
  name: string;
  type: "file" | "directory" | "symlink";
  size: number;
  /** ISO 8601. */
  modified: string;
  /** A file's ETag without its quotes. */
  version: string;
}

export interface Listing extends Omit<ListedEntry, "name"> {
  path: string;
  type: "directory";
  entries: ListedEntry[];
  /** Pass as `?cursor=` for the next page; null on the last page. */
  cursor: string | null;
}
