/** The bytes of a volume's files, for views that read: contents do not change with the state of the tree that names them. */
import type { Database } from "../db/database.ts";
import { selectContents } from "../store/contents.ts";
import { pin } from "./pin.ts";
import { ContentReader, type ContentRef } from "./reader.ts";

const MAX_RECENT = 4;

interface RecentReader {
  readonly version: string;
  readonly ref: ContentRef;
  readonly reader: ContentReader;
}

export class Contents {
  readonly #db: Database;
  readonly #pinned: Map<number, number>;
  /** Of the large files that were last read by range: their extents are read once, not again for every part. */
  #recent: readonly RecentReader[] = [];

  constructor(db: Database, pinned: Map<number, number>) {
    this.#db = db;
    this.#pinned = pinned;
  }

  reader(ref: ContentRef): ContentReader {
    return new ContentReader(this.#db, ref);
  }

  /** A cached reader of the file version, which no rollback repeats. */
  readerOfVersion(version: string, { content, size }: ContentRef): ContentReader {
    const isSame = (one: RecentReader) =>
      one.version === version && one.ref.content === content && one.ref.size === size;
    const same = this.#recent.find(isSame);
    if (same !== undefined) return same.reader;
    const ref = { content, size };
    const reader = this.reader(ref);
    this.#recent = [{ version, ref, reader }, ...this.#recent.slice(0, MAX_RECENT - 1)];
    return reader;
  }

  rows(ids: readonly number[]): ReturnType<typeof selectContents> {
    return selectContents(this.#db, ids);
  }

  /** Keeps a content from being collected until the result is disposed. */
  pin(content: number): Disposable {
    return pin(this.#pinned, content);
  }
}
