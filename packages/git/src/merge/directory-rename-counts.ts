/**
 * Detects directory renames of one side: every renamed file votes for its target directory, and the directory with the most votes
 * is chosen. Files whose rename is not determined yet count as open votes.
 */
import { parentDirectory } from "./merge-entry.ts";
import type { DirectoryRelevance } from "./relevant-renames.ts";

export class DirectoryRenameCounts {
  readonly #votes = new Map<string, Map<string, number>>();
  /** By directory: number of its files with an open vote. */
  readonly #out = new Map<string, number>();

  constructor(readonly removedDirectories: Map<string, DirectoryRelevance>) {}

  /** `a/b/c/f` to `x/c/g` votes for a/b/c → x/c, and upward while names are the same: for a/b → x. */
  add(from: string, to: string): void {
    let [old, fresh] = [parentDirectory(from), parentDirectory(to)];
    for (let isOwn = true; ; isOwn = false) {
      const interest = this.removedDirectories.get(old);
      if (interest === undefined) return;
      if (isOwn || interest === "for itself") this.#vote(old, fresh);
      if (interest === "none" || old === "" || fresh === "" || lastName(old) !== lastName(fresh)) return;
      [old, fresh] = [parentDirectory(old), parentDirectory(fresh)];
    }
  }

  /** The rename of this file may still be found. */
  addOpen(path: string): void {
    for (
      let directory = parentDirectory(path);
      directory !== "" && this.#interest(directory) !== "none";
      directory = parentDirectory(directory)
    )
      this.#out.set(directory, (this.#out.get(directory) ?? 0) + 1);
  }

  /** If no open vote can change the result, detection need not wait for it. */
  closeDecided(): void {
    for (const [directory, votes] of this.#votes) {
      if (this.#interest(directory) !== "for itself") continue;
      const [first = 0, second = 0] = [...votes.values()].sort((a, b) => b - a);
      if (first > second + (this.#out.get(directory) ?? 0)) this.removedDirectories.set(directory, "for those below");
    }
  }

  /** Whether this file's vote could decide for some directory above it. */
  isAwaited(path: string): boolean {
    for (let directory = parentDirectory(path); ; directory = parentDirectory(directory)) {
      const interest = this.#interest(directory);
      if (interest !== "for those below") return interest === "for itself";
      if (directory === "") return false;
    }
  }

  /** The first directory with most of its known files: a guess for another file of it. */
  leader(directory: string): string | null {
    let leader: string | null = null;
    let max = 0;
    for (const [position, count] of this.#votes.get(directory) ?? []) {
      if (count > max) [leader, max] = [position, count];
    }
    return leader;
  }

  /** Renamed directories, and those whose votes are tied. */
  result(): { moved: Map<string, string>; undecided: string[] } {
    const moved = new Map<string, string>();
    const undecided: string[] = [];
    for (const [directory, votes] of this.#votes) {
      if (this.#interest(directory) === "none") continue;
      const most = Math.max(...votes.values());
      const positions = [...votes.keys()].filter((place) => votes.get(place) === most);
      if (positions.length > 1) undecided.push(directory);
      else moved.set(directory, positions[0] as string);
    }
    return { moved, undecided };
  }

  #interest(directory: string): DirectoryRelevance {
    return this.removedDirectories.get(directory) ?? "none";
  }

  #vote(directory: string, place: string): void {
    const votes = this.#votes.get(directory) ?? new Map<string, number>();
    votes.set(place, (votes.get(place) ?? 0) + 1);
    this.#votes.set(directory, votes);
  }
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
