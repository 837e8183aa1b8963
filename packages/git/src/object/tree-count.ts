/** Counts what one walk over trees meets, so that a few trees that name each other many times cannot keep it going. */
import { GitError } from "../errors.ts";
import { defaultGitLimits, type GitLimits } from "../limits.ts";

export class TreeCount {
  readonly #most: number;
  #entries = 0;

  /** Of a repository, an object database, or what else knows the limits. */
  constructor({ limits = defaultGitLimits }: { readonly limits?: Pick<GitLimits, "treeEntries"> | undefined }) {
    this.#most = limits.treeEntries;
  }

  /** A tree of so many entries is opened. */
  add(entries: number): void {
    this.#entries += entries;
    if (this.#entries > this.#most)
      throw new GitError("ETOOBIG", `the tree comes to more than ${this.#most} entries, the limit of one walk`);
  }
}
