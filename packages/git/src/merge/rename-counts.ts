/** How many files went from one directory to another on a side: where a directory as a whole has gone is decided by the majority. */
import type { Relevance } from "./collect-entries.ts";
import { directoryOf } from "./merge-entry.ts";

/** Files that may still turn out to be renamed. */
const UNKNOWN = "/";

export class RenameCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  constructor(readonly dirsRemoved: Map<string, Relevance>) {}

  /** `a/b/c/f` to `x/c/g` speaks for a/b/c → x/c, and for a/b → x where that matters. */
  note(from: string, to: string): void {
    let [oldDir, newDir] = [from, to];
    for (let first = true; ; first = false) {
      const [oldName, newName] = [baseName(oldDir), baseName(newDir)];
      oldDir = directoryOf(oldDir);
      newDir = directoryOf(newDir);
      const relevance = this.dirsRemoved.get(oldDir);
      if (relevance === undefined || (!first && oldName !== newName)) return;
      if (relevance === "self" || first) this.#count(oldDir, newDir);
      if (relevance === "none" || oldDir === "" || newDir === "") return;
    }
  }

  noteUnknown(path: string): void {
    let directory = directoryOf(path);
    while (directory !== "" && this.#relevance(directory) !== "none") {
      this.#count(directory, UNKNOWN);
      directory = directoryOf(directory);
    }
  }

  /** Whoever has a majority that cannot be lost any more need not be looked for. */
  settleDecided(): void {
    for (const [directory, counts] of this.#counts) {
      if (this.#relevance(directory) === "self" && isDecided(counts)) this.dirsRemoved.set(directory, "ancestor");
    }
  }

  /** Whether some directory above the path still waits for an answer. */
  isAwaited(path: string): boolean {
    for (let directory = directoryOf(path); ; directory = directoryOf(directory)) {
      const relevance = this.#relevance(directory);
      if (relevance === "none") return false;
      if (relevance === "self") return true;
      if (directory === "") return false;
    }
  }

  /** The first of the most: a guess where a file of the directory may be. */
  guess(directory: string): string | null {
    let best: string | null = null;
    let most = 0;
    for (const [to, count] of this.#counts.get(directory) ?? []) {
      if (count <= most) continue;
      most = count;
      best = to;
    }
    return best;
  }

  /** Directories that moved; "split": no place has the most of them. */
  renamed(): { directories: Map<string, string>; split: string[] } {
    const directories = new Map<string, string>();
    const split: string[] = [];
    for (const [directory, counts] of this.#counts) {
      if (this.#relevance(directory) === "none") continue;
      const known = [...counts].filter(([to]) => to !== UNKNOWN);
      const most = Math.max(0, ...known.map(([, count]) => count));
      if (most === 0) continue;
      const best = known.filter(([, count]) => count === most);
      if (best.length > 1) split.push(directory);
      else directories.set(directory, (best[0] as [string, number])[0]);
    }
    return { directories, split };
  }

  #relevance(directory: string): Relevance {
    return this.dirsRemoved.get(directory) ?? "none";
  }

  #count(from: string, to: string): void {
    let counts = this.#counts.get(from);
    if (counts === undefined) {
      counts = new Map();
      this.#counts.set(from, counts);
    }
    counts.set(to, (counts.get(to) ?? 0) + 1);
  }
}

function isDecided(counts: ReadonlyMap<string, number>): boolean {
  const known = [...counts].filter(([to]) => to !== UNKNOWN).map(([, count]) => count);
  const [first = 0, second = 0] = known.sort((a, b) => b - a);
  return first > second + (counts.get(UNKNOWN) ?? 0);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
