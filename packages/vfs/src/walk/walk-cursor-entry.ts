/** The current entry of a walker, with the file system's types; no object is allocated per entry. */
import type { EntryType } from "../api/file-system.ts";
import { typeName } from "../tree/inode.ts";
import type { Walker } from "./walker.ts";

/** Valid until the walk continues: the next entry reuses it. */
export interface VisitedEntry {
  readonly name: string;
  /** Its directory, relative to the start, with a slash at its end; "" in the start itself. */
  readonly prefix: string;
  /** 1 for entries of the start itself. */
  readonly depth: number;
  readonly type: EntryType;
  readonly size: number;
  readonly mtimeMs: number;
}

export class WalkCursorEntry implements VisitedEntry {
  readonly #walker: Walker;

  constructor(walker: Walker) {
    this.#walker = walker;
  }

  get name(): string {
    return this.#walker.name;
  }

  get prefix(): string {
    return this.#walker.level.prefix;
  }

  get depth(): number {
    return this.#walker.depth;
  }

  get type(): EntryType {
    return typeName(this.#walker.type);
  }

  get size(): number {
    return this.#walker.inode.size;
  }

  get mtimeMs(): number {
    return this.#walker.inode.mtime / 1000;
  }
}
