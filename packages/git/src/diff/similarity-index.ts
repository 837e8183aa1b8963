/** Cache of the sides' fingerprints during rename detection. They are far smaller than the contents. */
import { isFileMode } from "../object/file-mode.ts";
import type { FileContents } from "./file-contents.ts";
import { exists, type FileSpec, MAX_SCORE } from "./file-pair.ts";
import { countChanges, type Fingerprint, fingerprint } from "./similarity.ts";

export class SimilarityIndex {
  readonly #prints = new Map<FileSpec, Fingerprint | null>();
  readonly #sizes = new Map<FileSpec, number>();

  constructor(readonly contents: FileContents) {}

  /** Of `MAX_SCORE`; 0 also if sizes alone rule `min` out. Only regular files are compared. */
  async score(from: FileSpec, to: FileSpec, min: number): Promise<number> {
    if (!isFileMode(from.mode) || !isFileMode(to.mode)) return 0;
    const [a, b] = [await this.size(from), await this.size(to)];
    const larger = Math.max(a, b);
    if (larger * (MAX_SCORE - min) < Math.abs(a - b) * MAX_SCORE) return 0;
    const changes = await this.changes(from, to);
    if (changes === null || b === 0) return 0;
    return Math.floor((changes.copied * MAX_SCORE) / larger);
  }

  async size(side: FileSpec): Promise<number> {
    const known = this.#sizes.get(side);
    if (known !== undefined) return known;
    const size = exists(side) ? await this.contents.size(side) : 0;
    this.#sizes.set(side, size);
    return size;
  }

  /** Null: one of them is too large. */
  async changes(from: FileSpec, to: FileSpec): Promise<{ copied: number; added: number } | null> {
    const [a, b] = [await this.#print(from), await this.#print(to)];
    return a && b && countChanges(a, b);
  }

  async #print(side: FileSpec): Promise<Fingerprint | null> {
    const known = this.#prints.get(side);
    if (known !== undefined) return known;
    const content = await this.contents.content(side);
    const print = content && fingerprint(content, !(await this.contents.isBinary(side)));
    this.contents.release(side);
    this.#prints.set(side, print);
    return print;
  }
}
