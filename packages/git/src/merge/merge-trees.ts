/**
 * Merges three trees as git's `ort` does, in the object database alone: neither index nor work tree is touched. What comes out is a
 * tree with conflict markers where it must be, the stages of every path in doubt, and what git says about it.
 */
import type { Oid } from "../oid.ts";
import type { Repository } from "../repository.ts";
import { collectEntries } from "./collect-entries.ts";
import { detectSideRenames, type SideRenames } from "./detect-side-renames.ts";
import { followDirectories } from "./directory-renames.ts";
import { type MergeContext, type MergeLabels, MergeMessages, type StrategyOptions } from "./merge-context.ts";
import type { MergeEntry, Three, Version } from "./merge-entry.ts";
import { processEntries } from "./process-entries.ts";
import { processRenames } from "./process-renames.ts";

export interface MergeTreesOptions extends StrategyOptions {
  readonly labels: MergeLabels;
  readonly depth?: number;
}

export interface ConflictedPath {
  readonly path: string;
  /** Null: not there. */
  readonly stages: Three<Version | null>;
}

export interface MergedTrees {
  readonly tree: Oid;
  readonly clean: boolean;
  readonly conflicts: readonly ConflictedPath[];
  /** Lines for stdout. */
  readonly messages: readonly string[];
}

export async function mergeTrees(
  repo: Repository,
  trees: Three<Oid>,
  { labels, depth = 0, ...options }: MergeTreesOptions,
): Promise<MergedTrees> {
  const context: MergeContext = {
    repo,
    labels,
    options,
    depth,
    paths: new Map(),
    conflicted: new Map(),
    messages: new MergeMessages(depth > 0),
  };
  const sides = await collectEntries(context, trees);
  const mayRename =
    options.renames !== false && sides.some((side) => side.relevantSources.size > 0 && side.changes.length > 0);
  if (mayRename) {
    const found: SideRenames[] = [];
    for (const side of sides) found.push(await detectSideRenames(repo, side, options));
    await processRenames(context, followDirectories(context, found as [SideRenames, SideRenames]));
  }
  const tree = await processEntries(context);
  const conflicts = [...context.conflicted].map(([path, entry]) => ({ path, stages: stagesOf(entry) }));
  return { tree, clean: conflicts.length === 0, conflicts, messages: context.messages.lines() };
}

function stagesOf({ stages, filemask }: MergeEntry): Three<Version | null> {
  return stages.map((version, i) => ((filemask & (1 << i)) !== 0 ? version : null)) as Three<Version | null>;
}
