/**
 * A page of a subtree, depth first: each directory before its entries, siblings in byte order of names. The cursor is the last path
 * of the previous page, so concurrent changes neither skip nor repeat other entries. A page costs one message per directory in it.
 */
import { type FileSystem, FsError } from "@cloudflare/workspace";
import type { Entry } from "../api/tree.ts";
import { toEntry } from "./to-entry.ts";

export interface TreePage {
  entries: Entry[];
  /** More entries follow the last one. */
  more: boolean;
}

/** `after`: names below `path`, of the last entry seen; empty for the beginning. */
export async function listTree(
  fs: FileSystem,
  path: string,
  { depth, limit, after }: { depth: number; limit: number; after: readonly string[] },
): Promise<TreePage> {
  const page = new ListedPage(fs, limit);
  await page.walk(path, depth, after);
  return { entries: page.entries.slice(0, limit), more: page.entries.length > limit };
}

class ListedPage {
  readonly entries: Entry[] = [];
  readonly #fs: FileSystem;
  /** One more than requested, to know whether there are more. */
  readonly #max: number;

  constructor(fs: FileSystem, limit: number) {
    this.#fs = fs;
    this.#max = limit + 1;
  }

  async walk(path: string, depth: number, after: readonly string[]): Promise<void> {
    const [name, ...below] = after;
    // The cursor's entry was listed; the entries below it, after the rest of the cursor, were not.
    if (name !== undefined && depth > 1) await this.#below(`${path}/${name}`, depth - 1, below);
    let last = name;
    while (this.entries.length < this.#max) {
      const limit = Math.min(1000, this.#max - this.entries.length);
      const scanned = await this.#fs.scan(path, { ...(last === undefined ? {} : { after: last }), limit });
      for (const { name: child, stat } of scanned) {
        if (this.entries.length >= this.#max) return;
        this.entries.push(toEntry(`${path}/${child}`, stat));
        if (stat.type === "dir" && depth > 1) await this.#below(`${path}/${child}`, depth - 1, []);
      }
      if (scanned.length < limit) return;
      last = scanned.at(-1)?.name;
    }
  }

  /** The directory may meanwhile be removed or replaced by a file. */
  async #below(path: string, depth: number, after: readonly string[]): Promise<void> {
    try {
      await this.walk(path, depth, after);
    } catch (error) {
      if (!(error instanceof FsError && (error.code === "ENOENT" || error.code === "ENOTDIR"))) throw error;
    }
  }
}
