/**
 * Rename detection and copy detection: pairs each created file with a deleted one (for copies, any changed one). It matches
 * identical contents first, then similar files of the same name, then all remaining pairs, best score first. The search order
 * decides ties, as in git.
 */
import { isFileMode } from "../object/file-mode.ts";
import type { FileContents } from "./file-contents.ts";
import { exists, type FilePair, type FileSpec, isUnmodified, MAX_SCORE } from "./file-pair.ts";
import type { SimilarityIndex } from "./similarity-index.ts";

export interface RenameOptions {
  readonly copies: boolean;
  readonly copiesHarder: boolean;
  /** Minimum similarity, of `MAX_SCORE`. */
  readonly score: number;
  /** 0: no limit. */
  readonly limit: number;
  /** Empty files count too. */
  readonly empty: boolean;
  /** Search sources for this path alone; null: for all. */
  readonly onlyTarget?: string | null;
  /** Pairs were split: sources may stay. */
  readonly broken: boolean;
}

interface RenameResult {
  readonly pairs: FilePair[];
  /** How often each side is a source. */
  readonly used: Map<FileSpec, number>;
  /** The rename limit that would have been needed; 0: it sufficed. */
  readonly neededLimit: number;
  /** Copies were searched among changed files only. */
  readonly degraded: boolean;
}

const EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
/** Of many files with the same content, at most this many are examined. */
const MAX_IDENTICAL = 100;
const CANDIDATES = 4;

interface RenameSource {
  readonly pair: FilePair;
  readonly side: FileSpec;
}

interface RenameTarget {
  readonly pair: FilePair;
  found: boolean;
}

export async function detectRenames(
  pairs: readonly FilePair[],
  index: SimilarityIndex,
  options: RenameOptions,
): Promise<RenameResult> {
  const search = new RenameDetector(pairs, index, options);
  await search.run();
  return {
    pairs: search.remaining(),
    used: search.used,
    neededLimit: search.neededLimit,
    degraded: search.degraded,
  };
}

class RenameDetector {
  readonly used = new Map<FileSpec, number>();
  neededLimit = 0;
  degraded = false;
  #sources: RenameSource[] = [];
  readonly #targets: RenameTarget[] = [];
  readonly #contents: FileContents;

  constructor(
    readonly pairs: readonly FilePair[],
    readonly index: SimilarityIndex,
    readonly options: RenameOptions,
  ) {
    this.#contents = index.contents;
  }

  async run(): Promise<void> {
    this.#collect();
    if (this.#targets.length === 0 || this.#sources.length === 0) return;
    let found = await this.#findIdentical();
    const { copies, broken, score } = this.options;
    if (score === MAX_SCORE) return;
    if (!copies && !broken) {
      this.#dropUsed();
      found += await this.#findByName();
      this.#dropUsed();
    }
    const targets = this.#targets.length - found;
    if (targets === 0 || this.#sources.length === 0) return;
    const verdict = this.#tooMany(targets);
    if (verdict === "too many") return;
    this.degraded = verdict === "changed only";
    await this.#findSimilar();
  }

  /** The remaining list: renames replace creations, without the deletions that were half of a rename. */
  remaining(): FilePair[] {
    const targetOf = new Map(this.#targets.map((target) => [target.pair.new.path, target]));
    return this.pairs.filter((pair) => {
      if (pair.unmerged || !exists(pair.old)) return true;
      if (exists(pair.new)) return !isUnmodified(pair);
      if (pair.broken) return !targetOf.get(pair.old.path)?.found;
      return !this.used.get(pair.old);
    });
  }

  #collect(): void {
    const { copies, empty, onlyTarget = null } = this.options;
    const skips = (side: FileSpec) => !empty && side.oid === EMPTY_BLOB;
    for (const pair of this.pairs) {
      if (pair.unmerged) continue;
      if (!exists(pair.old)) {
        if (onlyTarget !== null && pair.new.path !== onlyTarget) continue;
        if (exists(pair.new) && !skips(pair.new)) this.#targets.push({ pair, found: false });
      } else if (skips(pair.old)) continue;
      else if (!exists(pair.new)) {
        if (pair.broken && pair.score === 0) this.#use(pair.old);
        this.#sources.push({ pair, side: pair.old });
      } else if (copies) {
        this.#use(pair.old);
        this.#sources.push({ pair, side: pair.old });
      }
    }
  }

  #use(side: FileSpec): void {
    this.used.set(side, (this.used.get(side) ?? 0) + 1);
  }

  #record(target: RenameTarget, source: RenameSource, score: number): void {
    const { pair } = target;
    this.#use(source.side);
    target.found = true;
    pair.old = source.side;
    pair.renamed = true;
    // Halves of one split file that match each other are a rewrite.
    pair.score = source.side.path === pair.new.path ? source.pair.score : score;
  }

  async #findIdentical(): Promise<number> {
    await this.#contents.prefetch(this.#sources.map(({ side }) => side));
    const byOid = new Map<string, RenameSource[]>();
    for (const source of this.#sources) {
      const oid = await this.#contents.oid(source.side);
      const list = byOid.get(oid);
      if (list) list.push(source);
      else byOid.set(oid, [source]);
    }
    let found = 0;
    for (const target of this.#targets) {
      const side = target.pair.new;
      const best = this.#bestIdentical(byOid.get(await this.#contents.oid(side)) ?? [], side);
      this.#contents.release(side);
      if (best === null) continue;
      this.#record(target, best, MAX_SCORE);
      found++;
    }
    return found;
  }

  #bestIdentical(sources: readonly RenameSource[], target: FileSpec): RenameSource | null {
    let best: RenameSource | null = null;
    let bestScore = -1;
    let looked = 0;
    for (const source of sources) {
      const { side } = source;
      if ((!isFileMode(side.mode) || !isFileMode(target.mode)) && side.mode !== target.mode) continue;
      const isUsed = (this.used.get(side) ?? 0) > 0;
      if (isUsed && !this.options.copies) continue;
      const score = (isUsed ? 0 : 1) + (sameBaseName(side.path, target.path) ? 1 : 0);
      if (score > bestScore) {
        best = source;
        bestScore = score;
        if (score === 2) break;
      }
      if (looked++ >= MAX_IDENTICAL) break;
    }
    return best;
  }

  #dropUsed(): void {
    this.#sources = this.#sources.filter(({ side }) => !this.used.get(side));
  }

  /** Files whose base name is unique on both sides, if they are similar enough. */
  async #findByName(): Promise<number> {
    const min = this.options.score + Math.trunc(0.5 * (MAX_SCORE - this.options.score));
    const sources = uniqueByName(this.#sources, ({ side }) => side.path);
    const targets = uniqueByName(
      this.#targets.filter(({ found }) => !found),
      ({ pair }) => pair.new.path,
    );
    let found = 0;
    for (const source of this.#sources) {
      const name = baseName(source.side.path);
      const target = sources.get(name) === source ? targets.get(name) : null;
      if (!target || target.found) continue;
      const score = await this.index.score(source.side, target.pair.new, min);
      if (score < min) continue;
      this.#record(target, source, score);
      found++;
    }
    return found;
  }

  #tooMany(targets: number): "fine" | "changed only" | "too many" {
    const { limit, copiesHarder } = this.options;
    const max = limit * limit;
    if (limit <= 0 || targets * this.#sources.length <= max) return "fine";
    this.neededLimit = Math.max(this.#sources.length, targets);
    if (!copiesHarder) return "too many";
    const changed = this.#sources.filter(({ pair }) => !isUnmodified(pair)).length;
    return targets * changed <= max ? "changed only" : "too many";
  }

  async #findSimilar(): Promise<void> {
    const { score: least, copies } = this.options;
    const candidates: RenameCandidate[] = [];
    const sources = this.degraded ? this.#sources.filter(({ pair }) => !isUnmodified(pair)) : this.#sources;
    for (const target of this.#targets) {
      if (target.found) continue;
      const best: (RenameCandidate | null)[] = new Array(CANDIDATES).fill(null);
      for (const source of sources) {
        const score = await this.index.score(source.side, target.pair.new, least);
        const sameName = sameBaseName(source.side.path, target.pair.new.path);
        keepBest(best, { source, target, score, sameName });
      }
      candidates.push(...best.filter((candidate) => candidate !== null));
    }
    candidates.sort(compareCandidates);
    for (const takeUsed of copies ? [false, true] : [false]) {
      for (const { source, target, score } of candidates) {
        if (score < least) break;
        if (target.found || (!takeUsed && this.used.get(source.side))) continue;
        this.#record(target, source, score);
      }
    }
  }
}

interface RenameCandidate {
  readonly source: RenameSource;
  readonly target: RenameTarget;
  readonly score: number;
  readonly sameName: boolean;
}

/** Negative: `a` is better. */
function compareCandidates(a: RenameCandidate | null, b: RenameCandidate | null): number {
  if (a === null) return b === null ? 0 : 1;
  if (b === null) return -1;
  if (a.score === b.score) return Number(b.sameName) - Number(a.sameName);
  return b.score - a.score;
}

/** Replaces the worst if the new one is better. */
function keepBest(best: (RenameCandidate | null)[], candidate: RenameCandidate): void {
  let worst = 0;
  for (let i = 1; i < best.length; i++) {
    if (compareCandidates(best[i] as RenameCandidate | null, best[worst] as RenameCandidate | null) > 0) worst = i;
  }
  if (compareCandidates(best[worst] as RenameCandidate | null, candidate) > 0) best[worst] = candidate;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function sameBaseName(a: string, b: string): boolean {
  return baseName(a) === baseName(b);
}

/** Null: the name is not unique. */
function uniqueByName<T>(items: readonly T[], pathOf: (item: T) => string): Map<string, T | null> {
  const byName = new Map<string, T | null>();
  for (const item of items) {
    const name = baseName(pathOf(item));
    byName.set(name, byName.has(name) ? null : item);
  }
  return byName;
}
