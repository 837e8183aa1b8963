/** Runs a merge strategy on the heads; changes only the object database. */
import { mergeCommits } from "../../merge/merge-commits.ts";
import type { StrategyOptions } from "../../merge/merge-context.ts";
import { type MergedTrees, mergeTrees } from "../../merge/merge-trees.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { isAncestor, mergeBases } from "../../revision/merge-base.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import type { MergeHead } from "./merge-message.ts";

export const STRATEGIES = ["ort", "recursive", "octopus", "resolve", "ours"] as const;
export type StrategyName = (typeof STRATEGIES)[number];

export interface StrategyInput {
  readonly head: Oid;
  readonly heads: readonly MergeHead[];
  readonly bases: readonly Oid[];
}

export interface StrategyResult {
  /** Null: the strategy does not handle this merge. */
  readonly merged: MergedTrees | null;
  /** Messages of the strategy. */
  readonly output: string;
}

export async function runStrategy(
  repo: Repository,
  name: StrategyName,
  { head, heads, bases }: StrategyInput,
  { favor, whitespace, renormalize, renames, renameScore }: StrategyOptions,
): Promise<StrategyResult> {
  if (name === "ours") {
    return {
      merged: {
        tree: await treeOfCommit(repo, head),
        clean: true,
        conflicts: [],
        messages: [],
        messagesByPath: new Map(),
      },
      output: "",
    };
  }
  if (name === "octopus") return octopus(repo, head, heads);
  const [other, ...others] = heads;
  if (other === undefined || others.length > 0) return { merged: null, output: "" };
  const labels = { ours: "HEAD", theirs: other.name };
  const options = { favor, whitespace, renormalize, renames, renameScore };
  if (name !== "resolve")
    return { merged: await mergeCommits(repo, head, other.oid, bases, { ...defined(options), ...labels }), output: "" };
  const merged = await mergeCommits(repo, head, other.oid, bases.slice(0, 1), { renames: false, ...labels });
  const simple = "Trying simple merge.\n";
  const isSimple = merged.clean && merged.messages.length === 0;
  return { merged, output: isSimple ? simple : `${simple}Simple merge failed, trying Automatic merge.\n` };
}

/** Merges one head after the other; fails on a conflict in any but the last. */
async function octopus(repo: Repository, head: Oid, heads: readonly MergeHead[]): Promise<StrategyResult> {
  let tree = await treeOfCommit(repo, head);
  let reached: Oid[] = [head];
  let output = "";
  let forwarding = true;
  let merged: MergedTrees = { tree, clean: true, conflicts: [], messages: [], messagesByPath: new Map() };
  for (const { oid, name } of heads) {
    if (!merged.clean) {
      return { merged: null, output: `${output}Automated merge did not work.\nShould not be doing an octopus.\n` };
    }
    const bases = await mergeBases(repo, oid, reached);
    if (bases.includes(oid)) {
      output += `Already up to date with ${name}\n`;
      continue;
    }
    if (
      forwarding &&
      bases.length === 1 &&
      bases[0] === reached[0] &&
      (await isAncestor(repo, reached[0] as Oid, oid))
    ) {
      output += `Fast-forwarding to: ${name}\n`;
      tree = await treeOfCommit(repo, oid);
      reached = [oid];
      merged = { tree, clean: true, conflicts: [], messages: [], messagesByPath: new Map() };
      continue;
    }
    forwarding = false;
    output += `Trying simple merge with ${name}\n`;
    const base = bases[0] === undefined ? tree : await treeOfCommit(repo, bases[0]);
    merged = await mergeTrees(repo, [base, tree, await treeOfCommit(repo, oid)], {
      renames: false,
      labels: { ours: "HEAD", theirs: name, base: "base" },
    });
    if (merged.messages.length > 0)
      output += `Simple merge did not work, trying automatic merge.\n${merged.messages.join("\n")}\n`;
    merged = { ...merged, messages: [] };
    tree = merged.tree;
    reached = [...reached, oid];
  }
  return { merged, output };
}

function defined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
