/**
 * Merges three trees as git's `ort` does, in the object database alone: neither index nor work tree is touched. The result is a
 * tree with conflict markers where needed, the stages of every conflicted path, and git's messages.
 */
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { collectMergeInfo } from "./collect-merge-info.ts";
import { detectSideRenames, type SideRenames } from "./detect-side-renames.ts";
import { applyDirectoryRenames } from "./directory-renames.ts";
import { type MergeContext, type MergeLabels, MergeMessages, type StrategyOptions } from "./merge-context.ts";
import type { FileVersion, MergeEntry, Triple } from "./merge-entry.ts";
import { processEntries } from "./process-entries.ts";
import { processRenames } from "./process-renames.ts";
import { relevantRenames } from "./relevant-renames.ts";

interface MergeTreesOptions extends StrategyOptions {
  readonly labels: MergeLabels;
  readonly depth?: number;
}

export interface ConflictedPath {
  readonly path: string;
  /** The path it would have without the name conflict. */
  readonly movedFrom?: string | undefined;
  /** Null: missing. */
  readonly stages: Triple<FileVersion | null>;
}

export interface MergedTrees {
  readonly tree: Oid;
  readonly clean: boolean;
  readonly conflicts: readonly ConflictedPath[];
  /** Lines for stdout. */
  readonly messages: readonly string[];
  /** The same, by path. */
  readonly messagesByPath: ReadonlyMap<string, readonly string[]>;
}

export async function mergeTrees(
  repo: Repository,
  trees: Triple<Oid>,
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
  await collectMergeInfo(context, trees);
  const sides = relevantRenames(context);
  const mayRename = options.renames !== false && sides.some(({ relevantSources }) => relevantSources.size > 0);
  if (mayRename) {
    const found: SideRenames[] = [];
    for (const side of sides) found.push(await detectSideRenames(repo, side, options));
    await processRenames(context, applyDirectoryRenames(context, found as [SideRenames, SideRenames]));
  }
  const tree = await processEntries(context);
  const conflicts = [...context.conflicted].map(([path, entry]) => ({
    path,
    movedFrom: entry.movedFrom,
    stages: stagesOf(entry),
  }));
  return {
    tree,
    clean: conflicts.length === 0 && !context.messages.hasDoubt,
    conflicts,
    messages: context.messages.lines(),
    messagesByPath: context.messages.byPath,
  };
}

function stagesOf({ versions }: MergeEntry): Triple<FileVersion | null> {
  return versions.map((version) => (version.mode === 0 ? null : version)) as Triple<FileVersion | null>;
}
