/**
 * Counts the entries of one walk over trees, so that a few trees that name each other many times cannot run unbounded.
 */
import { GitError } from "../errors.ts";
import { defaultGitLimits, type GitLimits } from "../limits.ts";

export class TreeCount {
  readonly #max: number;
  #entries = 0;

  /** Of a repository, an object database, or what else knows the limits. */
  constructor({ limits = defaultGitLimits }: { readonly limits?: Pick<GitLimits, "treeEntries"> | undefined }) {
    this.#max = limits.treeEntries;
  }

  /** A tree of so many entries is opened. */
  add(entries: number): void {
    this.#entries += entries;
    if (this.#entries > this.#max)
      throw new GitError("ETOOBIG", `the tree comes to more than ${this.#max} entries, the limit of one walk`);
  }
}
