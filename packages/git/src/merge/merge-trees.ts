/**
 * Merges three trees as git's `ort` does, in the object database alone: neither index nor work tree is touched. What comes out is a
 * tree with conflict markers where it must be, the stages of every path in doubt, and what git says about it.
 */
import type { Oid } from "../oid.ts";
import type { Repository } from "../repository.ts";
import { detectSideRenames, type SideRenames } from "./detect-side-renames.ts";
import { followDirectories } from "./directory-renames.ts";
import { joinRenames } from "./join-renames.ts";
import { type MergeContext, type MergeLabels, MergeMessages, type StrategyOptions } from "./merge-context.ts";
import type { MergeEntry, Three, Version } from "./merge-entry.ts";
import { renameInterest } from "./rename-interest.ts";
import { settlePaths } from "./settle-paths.ts";
import { surveyTrees } from "./survey-trees.ts";

export interface MergeTreesOptions extends StrategyOptions {
  readonly labels: MergeLabels;
  readonly depth?: number;
}

export interface ConflictedPath {
  readonly path: string;
  /** The path it would have, were nothing else of that name there. */
  readonly movedFrom?: string | undefined;
  /** Null: not there. */
  readonly stages: Three<Version | null>;
}

export interface MergedTrees {
  readonly tree: Oid;
  readonly clean: boolean;
  readonly conflicts: readonly ConflictedPath[];
  /** Lines for stdout. */
  readonly messages: readonly string[];
  /** The same, by path. */
  readonly told: ReadonlyMap<string, readonly string[]>;
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
  await surveyTrees(context, trees);
  const sides = renameInterest(context);
  const mayRename = options.renames !== false && sides.some(({ sought }) => sought.size > 0);
  if (mayRename) {
    const found: SideRenames[] = [];
    for (const side of sides) found.push(await detectSideRenames(repo, side, options));
    await joinRenames(context, followDirectories(context, found as [SideRenames, SideRenames]));
  }
  const tree = await settlePaths(context);
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
    told: context.messages.byPath,
  };
}

function stagesOf({ versions }: MergeEntry): Three<Version | null> {
  return versions.map((version) => (version.mode === 0 ? null : version)) as Three<Version | null>;
}
