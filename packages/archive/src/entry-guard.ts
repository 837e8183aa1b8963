/**
 * Checks the entries of an archive together, before they are written.
 * - No entry is written through a link, or copied from one.
 * - A name in a link's target may itself be a link, so that a following `..` would not lead to its parent: such a target is refused.
 *   All other targets lead where `checkLink` expects.
 * - A directory that only names imply counts as an entry.
 */
import type { ArchiveBudget } from "./archive-budget.ts";
import { type ArchiveError, invalidArchive } from "./archive-error.ts";
import { leadsOut, quoted } from "./entry-name.ts";

interface CheckedEntry {
  name: string;
  type: string;
  /** Of a link. */
  target?: string;
  /** Of a copy: the name of the entry that it copies. */
  of?: string;
}

export class EntryGuard {
  readonly #budget: ArchiveBudget;
  readonly #links = new Set<string>();
  /** Links whose target may have a name before a `..`. */
  readonly #climbing: { name: string; target: string }[] = [];
  readonly #directories = new Set<string>();
  /** The last directory found free of links; most entries share their predecessor's directory. */
  #checked = "";

  /** `existing`: paths, relative to the target, that are already links. */
  constructor(existing: Iterable<string>, budget: ArchiveBudget) {
    for (const name of existing) this.#links.add(name);
    this.#budget = budget;
  }

  async check({ name, type, target = "", of }: CheckedEntry): Promise<void> {
    await this.#checkParents(name);
    await this.#countParents(name);
    if (of !== undefined) {
      await this.#checkParents(of);
      if (this.#links.has(of)) throw throughLink(of);
    }
    if (type === "dir") this.#directories.add(name);
    else if (this.#directories.has(name)) throw invalidArchive(`${quoted(name)} is a directory and something else`);
    if (type !== "symlink") {
      if (this.#links.has(name)) throw throughLink(name);
      return;
    }
    this.#budget.holdLink(name.length + target.length);
    this.#links.add(name);
    this.#checked = "";
    if (target.includes("..")) this.#climbing.push({ name, target });
  }

  /** Call when all entries are known. */
  async finish(): Promise<void> {
    for (const { name, target } of this.#climbing) {
      let at = parentOf(name);
      for (const part of target.split("/")) {
        if (part === "" || part === ".") continue;
        if (part !== "..") at = at === "" ? part : `${at}/${part}`;
        else {
          await this.#budget.spendBytes(at.length);
          if (this.#links.has(at)) throw leadsOut(target);
          at = parentOf(at);
        }
      }
    }
  }

  async #checkParents(name: string): Promise<void> {
    const parent = parentOf(name);
    if (this.#links.size === 0 || parent === this.#checked) return;
    for (let at = name.indexOf("/"); at !== -1; at = name.indexOf("/", at + 1)) {
      await this.#budget.spendBytes(at);
      if (this.#links.has(name.slice(0, at))) throw throughLink(name);
    }
    this.#checked = parent;
  }

  async #countParents(name: string): Promise<void> {
    for (let parent = parentOf(name); parent !== "" && !this.#directories.has(parent); parent = parentOf(parent)) {
      await this.#budget.spendDirectory(parent.length);
      this.#directories.add(parent);
    }
  }
}

function parentOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf("/")));
}

function throughLink(name: string): ArchiveError {
  return invalidArchive(`${quoted(name)} would be reached through a link`);
}
