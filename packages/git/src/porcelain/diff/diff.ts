/** `git diff` as data: which files differ and by how much, and the patch. */

import { type DiffOptions, diffDefaults } from "../../diff/diff-options.ts";
import { exists, type FilePair, type FileSpec, percent } from "../../diff/file-pair.ts";
import { type DiffResult as PairedFiles, runDiffcore } from "../../diff/run-diffcore.ts";
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { writeCombined } from "../../patch/patch-combined.ts";
import type { FileStatistic } from "../../patch/patch-stat.ts";
import { collectStatistics, writeDiff } from "../../patch/patch-writer.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";
import { RevisionArguments } from "../../revision/revision-arguments.ts";
import { concat, decode } from "../../text/bytes.ts";
import { type Comparison, compare, type DiffSides } from "./compare.ts";
import { diffTreePair } from "./diff-ends.ts";
import { type NamedBlob, type NamedTree, readNamedEnds } from "./named-ends.ts";

export interface DiffRequest {
  /** A revision: alone compared with the work tree, with `to` compared with that. Default the index. */
  readonly from?: string;
  readonly to?: string;
  /** Compare the index with `from`, by default HEAD. */
  readonly cached?: boolean;
  readonly paths?: readonly string[];
  readonly context?: number;
  readonly ignoreSpace?: boolean;
  /** Omit the patch. */
  readonly noPatch?: boolean;
}

export interface GitDiffFile {
  readonly path: string;
  /** Original path of a renamed or copied file. */
  readonly from?: string;
  /** "A", "M", "D", "R", "C", "T", "U". */
  readonly status: string;
  /** Of a rename or copy, in percent. */
  readonly similarity?: number;
  /** As in a tree; null: that side has no such file. */
  readonly modes: { readonly from: number | null; readonly to: number | null };
  /** Null also for content of the work tree, which has no id yet. */
  readonly oids: { readonly from: Oid | null; readonly to: Oid | null };
  readonly binary: boolean;
  /** Lines; null: binary. */
  readonly added: number | null;
  readonly deleted: number | null;
}

export interface DiffResult {
  readonly files: readonly GitDiffFile[];
  /** As `git diff` writes it; bytes that are not UTF-8 are lost. */
  readonly patch: string;
}

export async function diff(repo: Repository, request: DiffRequest = {}): Promise<DiffResult> {
  const options = diffOptions(repo, request);
  const comparison = await compare(repo, await findSides(repo, request), options);
  const { pairs, dropSame } = comparison;
  const paired = await runDiffcore(repo, pairs, options, { dropSame });
  const statistics = new Map((await collectStatistics(paired, options)).map((one) => [one.pair, one]));
  const files = paired.pairs.map((pair) => toFile(pair, statistics.get(pair)));
  const patch = request.noPatch ? "" : await patchText(repo, comparison, paired, options);
  await comparison.refreshIndex();
  return { files, patch };
}

function diffOptions(repo: Repository, { paths = [], context, ignoreSpace, noPatch }: DiffRequest): DiffOptions {
  const options = diffDefaults(repo.config);
  const pathspec = parsePathspec(repo, paths);
  return {
    ...options,
    formats: new Set(noPatch ? [] : ["patch"]),
    pathspec,
    ...(repo.config.getBool("diff.relative") ? { relative: repo.prefix || null } : {}),
    ...(context === undefined ? {} : { context }),
    ...(ignoreSpace ? { whitespace: "all" } : {}),
  };
}

async function findSides(repo: Repository, { from, to, cached }: DiffRequest): Promise<DiffSides> {
  const named = new RevisionArguments(repo);
  for (const text of [from, to]) {
    if (text === undefined || (await named.revision(text))) continue;
    throw new GitError("ENOTFOUND", `bad revision '${text}'`);
  }
  const { trees, blobs } = await readNamedEnds(repo, named);
  const isComparable = blobs.length === 0 ? trees.length <= (cached ? 1 : 2) : blobs.length + trees.length === 2;
  if (!isComparable || (blobs.length > 0 && (trees.length > 0 || cached)))
    throw new GitError("EINVAL", "cannot compare these revisions: name at most two commits, or two files");
  if (blobs.length > 0) {
    const [a, b] = blobs as [NamedBlob, NamedBlob];
    return { kind: "blobs", from: a, to: b };
  }
  const tree = trees[0]?.tree ?? null;
  if (cached) return { kind: "index", tree };
  if (trees.length === 2) {
    const [a, b] = await diffTreePair(repo, trees as [NamedTree, NamedTree], { flags: {} });
    return { kind: "trees", from: a, to: b };
  }
  if (repo.workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
  return tree === null ? { kind: "unstaged" } : { kind: "worktree", tree };
}

async function patchText(
  repo: Repository,
  { pairs, dropSame, mnemonics, splitUnmerged }: Comparison,
  paired: PairedFiles,
  options: DiffOptions,
): Promise<string> {
  const parts: Uint8Array[] = [];
  const out = (data: Uint8Array) => void parts.push(data);
  const split = await splitUnmerged(pairs);
  const { combined } = split;
  if (combined.length > 0) await writeCombined(out, repo, combined, { ...options, combined: "dense" });
  const rest = combined.length > 0 ? await runDiffcore(repo, split.pairs, options, { dropSame }) : paired;
  await writeDiff(out, rest, options, mnemonics && { mnemonics });
  return decode(concat(parts));
}

function toFile(pair: FilePair, statistic: FileStatistic | undefined): GitDiffFile {
  const { old, new: fresh, status, score } = pair;
  const isMoved = status === "R" || status === "C";
  const binary = statistic?.binary ?? false;
  const mode = (side: FileSpec) => (exists(side) ? side.mode : null);
  return {
    path: fresh.path,
    ...(isMoved ? { from: old.path, similarity: percent(score) } : {}),
    status,
    modes: { from: mode(old), to: mode(fresh) },
    oids: { from: old.oid, to: fresh.oid },
    binary,
    added: binary ? null : (statistic?.added ?? 0),
    deleted: binary ? null : (statistic?.deleted ?? 0),
  };
}
