/**
 * git's diffcore: turns unequal entries into added, changed and renamed files. Every source of pairs (trees, index, work tree, two
 * files) passes through here, in git's order of steps.
 */
import { GitError } from "../errors.ts";
import { isGitlinkMode, isSameType } from "../object/file-mode.ts";
import type { Repository } from "../repository.ts";
import { wildmatch } from "../text/wildmatch.ts";
import { breakPairs, joinBroken } from "./break-pairs.ts";
import { detectRenames } from "./detect-renames.ts";
import type { DiffFilter, DiffOptions, Pickaxe } from "./diff-options.ts";
import { FileContents } from "./file-contents.ts";
import { exists, type FilePair, type FileSpec, isUnmodified, MAX_SCORE } from "./file-pair.ts";
import { pickaxe } from "./pickaxe.ts";
import { SimilarityIndex } from "./similarity-index.ts";

export interface DiffResult {
  readonly pairs: FilePair[];
  readonly contents: FileContents;
  /** The `diff.renameLimit` that would have been needed; 0: it sufficed. */
  readonly neededRenameLimit: number;
  readonly degradedCopies: boolean;
  /** What a patch shows beyond the pairs: conflicts where nothing differs. */
  readonly inPatch?: readonly FilePair[];
}

export async function runDiffcore(
  repo: Repository | null,
  input: readonly FilePair[],
  options: DiffOptions,
  { dropSame = false }: { dropSame?: boolean } = {},
): Promise<DiffResult> {
  const contents = new FileContents(repo);
  let pairs = options.reverse ? input.map(reversed) : [...input];
  if (options.ignoreSubmodules === "all") pairs = pairs.filter((pair) => !isSubmodule(pair));
  if (dropSame) pairs = await withoutSame(pairs, contents);
  let used = new Map<FileSpec, number>();
  let neededRenameLimit = 0;
  let degradedCopies = false;
  const index = new SimilarityIndex(contents);
  if (options.breaks || options.renames !== "none" || options.pickaxe) await contents.prepare(pairs);

  if (options.breaks) pairs = await breakPairs(pairs, index, options.breaks);
  if (options.renames !== "none" && hasBothSides(pairs, options)) {
    const result = await detectRenames(pairs, index, {
      copies: options.renames === "copies",
      copiesHarder: options.copiesHarder,
      score: options.renameScore || MAX_SCORE / 2,
      limit: options.renameLimit,
      empty: options.renameEmpty,
      onlyTarget: options.onlyTarget,
      broken: pairs.some(({ broken }) => broken),
    });
    ({ pairs, used } = result);
    neededRenameLimit = result.neededLimit;
    degradedCopies = result.degraded;
  } else pairs = pairs.filter((pair) => !isUnmodified(pair));
  if (options.breaks) pairs = joinBroken(pairs, used);
  if (options.pickaxe) pairs = await pickaxe(pairs, contents, options as DiffOptions & { pickaxe: Pickaxe });
  if (options.order) pairs = ordered(pairs, options.order);
  if (options.rotate) pairs = rotated(pairs, options.rotate);
  for (const pair of pairs) pair.status = statusOf(pair, used);
  if (options.filter) pairs = filtered(pairs, options.filter);
  return { pairs, contents, neededRenameLimit, degradedCopies };
}

function isSubmodule({ old, new: fresh }: FilePair): boolean {
  return [old, fresh].every((side) => !exists(side) || isGitlinkMode(side.mode)) && (exists(old) || exists(fresh));
}

/** The stats of these are inconclusive; the content decides. */
async function withoutSame(pairs: readonly FilePair[], contents: FileContents): Promise<FilePair[]> {
  const retained: FilePair[] = [];
  for (const pair of pairs) {
    const { old, new: fresh } = pair;
    const isDoubtful =
      !pair.unmerged && old.mode === fresh.mode && exists(old) && (old.oid === null || fresh.oid === null);
    if (isDoubtful && (await contents.mayBeSame(pair)) && (await contents.isSame(pair))) contents.release(old, fresh);
    else retained.push(pair);
  }
  return retained;
}

function reversed(pair: FilePair): FilePair {
  return { ...pair, old: pair.new, new: pair.old };
}

/** Without a created file there is no rename, and no file needs to be read. */
function hasBothSides(pairs: readonly FilePair[], { renames }: DiffOptions): boolean {
  let created = false;
  let sources = false;
  for (const { old, new: fresh, unmerged } of pairs) {
    if (unmerged) continue;
    if (!exists(old)) created = true;
    else if (!exists(fresh) || renames === "copies") sources = true;
    if (created && sources) return true;
  }
  return false;
}

function statusOf(pair: FilePair, used: Map<FileSpec, number>): FilePair["status"] {
  const { old, new: fresh } = pair;
  if (pair.unmerged) return "U";
  if (!exists(old)) return "A";
  if (!exists(fresh)) return "D";
  if (!isSameType(old.mode, fresh.mode)) return "T";
  if (!pair.renamed) return "M";
  if (old.path === fresh.path) return "M";
  // The last use of a removed source is the rename, earlier ones are copies.
  const users = (used.get(old) ?? 0) - 1;
  used.set(old, users);
  return users > 0 ? "C" : "R";
}

/** Sorts by the first matching pattern of the order file; files without a match come last. Stable within one pattern. */
function ordered(pairs: readonly FilePair[], patterns: readonly string[]): FilePair[] {
  const rank = ({ new: { path } }: FilePair) => {
    const at = patterns.findIndex((pattern) => matchesOrder(pattern, path));
    return at < 0 ? patterns.length : at;
  };
  const ranks = new Map(pairs.map((pair) => [pair, rank(pair)]));
  return [...pairs].sort((a, b) => (ranks.get(a) as number) - (ranks.get(b) as number));
}

function matchesOrder(pattern: string, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    if (wildmatch(pattern, path.slice(0, end))) return true;
  }
  return false;
}

function rotated(
  pairs: readonly FilePair[],
  { path, skip, strict = true }: NonNullable<DiffOptions["rotate"]>,
): FilePair[] {
  const at = pairs.findIndex((pair) => pair.new.path >= path);
  if (at < 0 || pairs[at]?.new.path !== path) {
    if (strict && pairs.length > 0) throw new GitError("EINVAL", `No such path '${path}' in the diff`);
    if (at < 0) return [...pairs];
  }
  return skip ? pairs.slice(at) : [...pairs.slice(at), ...pairs.slice(0, at)];
}

function filtered(pairs: readonly FilePair[], { include, exclude, all }: DiffFilter): FilePair[] {
  const wants = ({ status, score }: FilePair) => {
    const is = (set: ReadonlySet<string>) => set.has(status) || (set.has("B") && status === "M" && score > 0);
    return !is(exclude) && (include.size === 0 || is(include));
  };
  if (!all) return pairs.filter(wants);
  return pairs.some(wants) ? [...pairs] : [];
}
