/**
 * Rename detection for one side of a merge. It matches identical contents first, among all files; then files of the same name, then
 * all remaining pairs, but only from sources that matter to the merge (`relevant-renames.ts`). Among equal scores the first wins, so
 * the order matters.
 */
import { baseName } from "../diff/detect-renames.ts";
import { FileContents } from "../diff/file-contents.ts";
import { createPair, type FileSpec, MAX_SCORE, missingFile } from "../diff/file-pair.ts";
import { SimilarityIndex } from "../diff/similarity-index.ts";
import { isFileMode } from "../object/file-mode.ts";
import { EMPTY_BLOB } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { groupBy } from "../text/group-by.ts";
import { DirectoryRenameCounts } from "./directory-rename-counts.ts";
import type { StrategyOptions } from "./merge-context.ts";
import { parentDirectory } from "./merge-entry.ts";
import type { SideChanges } from "./relevant-renames.ts";

export interface SidePair {
  readonly kind: "added" | "renamed" | "deleted";
  /** The source of a rename; otherwise the path itself. */
  readonly from: string;
  to: string;
}

export interface SideRenames {
  readonly pairs: SidePair[];
  readonly votes: DirectoryRenameCounts;
}

const DEFAULT_LIMIT = 7000;
const CANDIDATES = 4;
const MAX_IDENTICAL = 100;

export async function detectSideRenames(
  repo: Repository,
  changes: SideChanges,
  options: StrategyOptions,
): Promise<SideRenames> {
  const search = new SideSearch(repo, changes, options);
  if (options.renames !== false && changes.changes.length > 0 && changes.relevantSources.size > 0) await search.run();
  return { pairs: search.pairs(), votes: search.votes };
}

interface RenameCandidate {
  readonly source: FileSpec;
  readonly target: FileSpec;
  readonly score: number;
  readonly sameName: boolean;
}

class SideSearch {
  readonly votes: DirectoryRenameCounts;
  readonly #index: SimilarityIndex;
  readonly #contents: FileContents;
  /** Target to source. */
  readonly #found = new Map<FileSpec, FileSpec>();
  readonly #used = new Set<FileSpec>();
  #sources: FileSpec[];
  readonly #targets: FileSpec[];
  readonly #min: number;

  constructor(
    readonly repo: Repository,
    readonly side: SideChanges,
    options: StrategyOptions,
  ) {
    this.votes = new DirectoryRenameCounts(side.removedDirectories);
    this.#contents = new FileContents(repo);
    this.#index = new SimilarityIndex(this.#contents);
    this.#min = options.renameScore || MAX_SCORE / 2;
    const sides = side.changes
      .filter(({ version }) => version.oid !== EMPTY_BLOB)
      .map(({ path, deleted, version }) => ({ deleted, side: { path, ...version } }));
    this.#sources = sides.filter(({ deleted }) => deleted).map((one) => one.side);
    this.#targets = sides.filter(({ deleted }) => !deleted).map((one) => one.side);
  }

  async run(): Promise<void> {
    if (this.#sources.length === 0 || this.#targets.length === 0) return;
    await this.#contents.prepare(
      [...this.#sources, ...this.#targets].map((side) => createPair(side, missingFile(side.path))),
    );
    this.#findIdentical();
    if (this.#min >= MAX_SCORE) return this.#voteAll();
    this.#sources = this.#sources.filter((source) => !this.#used.has(source));
    this.#voteAll();
    await this.#findByName();
    this.#dropUnneeded();
    const targets = this.#targets.filter((target) => !this.#found.has(target));
    if (targets.length === 0 || this.#sources.length === 0 || this.#tooMany(targets.length)) return;
    await this.#findSimilar(targets);
  }

  pairs(): SidePair[] {
    const sources = new Set([...this.#found.values()].map(({ path }) => path));
    const byTarget = new Map([...this.#found].map(([target, source]) => [target.path, source.path]));
    const pairs: SidePair[] = [];
    for (const { path, deleted } of this.side.changes) {
      const from = deleted ? undefined : byTarget.get(path);
      if (from !== undefined) pairs.push({ kind: "renamed", from, to: path });
      else if (!deleted) pairs.push({ kind: "added", from: path, to: path });
      else if (!sources.has(path)) pairs.push({ kind: "deleted", from: path, to: path });
    }
    return pairs;
  }

  #record(target: FileSpec, source: FileSpec): void {
    this.#found.set(target, source);
    this.#used.add(source);
  }

  #findIdentical(): void {
    const byOid = groupBy(this.#sources, ({ oid }) => oid);
    for (const target of this.#targets) {
      let best: FileSpec | null = null;
      let looked = 0;
      for (const source of byOid.get(target.oid) ?? []) {
        if ((!isFileMode(source.mode) || !isFileMode(target.mode)) && source.mode !== target.mode) continue;
        if (this.#used.has(source)) continue;
        const sameName = baseName(source.path) === baseName(target.path);
        if (best === null || sameName) best = source;
        if (sameName || looked++ >= MAX_IDENTICAL) break;
      }
      if (best !== null) this.#record(target, best);
    }
  }

  #voteAll(): void {
    for (const target of this.#targets) {
      const source = this.#found.get(target);
      if (source) this.votes.add(source.path, target.path);
    }
  }

  /** If a base name is not unique, the directory's other files suggest where it may have gone. */
  async #findByName(): Promise<void> {
    const min = this.#min + Math.trunc(0.5 * (MAX_SCORE - this.#min));
    const free = this.#targets.filter((target) => !this.#found.has(target));
    const sources = groupBy(this.#sources, ({ path }) => baseName(path));
    const targets = groupBy(free, ({ path }) => baseName(path));
    const byPath = new Map(free.map((target) => [target.path, target]));
    const guesses = new Map<string, string | null>();
    for (const { path } of this.#sources) {
      const directory = parentDirectory(path);
      if (!guesses.has(directory)) guesses.set(directory, this.votes.leader(directory));
    }
    for (const source of this.#sources) {
      if (!this.side.relevantSources.has(source.path)) continue;
      const name = baseName(source.path);
      const named = targets.get(name);
      if (named === undefined) continue;
      let target: FileSpec | undefined;
      if (sources.get(name)?.length === 1 && named.length === 1) target = named[0];
      else {
        const guess = guesses.get(parentDirectory(source.path)) ?? null;
        target = guess === null ? undefined : byPath.get(guess === "" ? name : `${guess}/${name}`);
      }
      if (target === undefined || this.#found.has(target)) continue;
      if ((await this.#index.score(source, target, min)) < min) continue;
      this.#record(target, source);
      this.votes.add(source.path, target.path);
    }
  }

  #dropUnneeded(): void {
    const { relevantSources } = this.side;
    this.#sources = this.#sources.filter((source) => !this.#used.has(source) && relevantSources.has(source.path));
    for (const { path } of this.#sources) this.votes.addOpen(path);
    this.votes.closeDecided();
    this.#sources = this.#sources.filter(
      ({ path }) => relevantSources.get(path) === "content" || this.votes.isAwaited(path),
    );
  }

  #tooMany(targets: number): boolean {
    const { config } = this.repo;
    const requested = config.getInt("merge.renamelimit") ?? config.getInt("diff.renamelimit") ?? 0;
    const limit = requested > 0 ? requested : DEFAULT_LIMIT;
    return targets * this.#sources.length > limit * limit;
  }

  async #findSimilar(targets: readonly FileSpec[]): Promise<void> {
    const candidates: RenameCandidate[] = [];
    for (const target of targets) {
      const best: RenameCandidate[] = [];
      for (const source of this.#sources) {
        const score = await this.#index.score(source, target, this.#min);
        const sameName = baseName(source.path) === baseName(target.path);
        keepBest(best, { source, target, score, sameName });
      }
      candidates.push(...best);
    }
    candidates.sort(compareCandidates);
    for (const { source, target, score } of candidates) {
      if (score < this.#min) break;
      if (this.#found.has(target) || this.#used.has(source)) continue;
      this.#record(target, source);
      this.votes.add(source.path, target.path);
    }
  }
}

/** Negative: `a` is better. */
function compareCandidates(a: RenameCandidate, b: RenameCandidate): number {
  return a.score === b.score ? Number(b.sameName) - Number(a.sameName) : b.score - a.score;
}

/** Replaces the worst if the new one is better. */
function keepBest(best: RenameCandidate[], candidate: RenameCandidate): void {
  if (best.length < CANDIDATES) {
    best.push(candidate);
    return;
  }
  let worst = 0;
  for (let i = 1; i < best.length; i++) {
    if (compareCandidates(best[i] as RenameCandidate, best[worst] as RenameCandidate) > 0) worst = i;
  }
  if (compareCandidates(best[worst] as RenameCandidate, candidate) > 0) best[worst] = candidate;
}
