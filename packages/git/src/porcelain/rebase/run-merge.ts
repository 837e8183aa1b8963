/** The todo commands that recreate merges: `label`, `reset` and `merge`. Labels are refs under refs/rewritten until the end. */

import { GitError } from "../../errors.ts";
import { mergeCommits } from "../../merge/merge-commits.ts";
import type { Oid } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { findCommit } from "../../revision/resolve-revision.ts";
import { decode } from "../../text/bytes.ts";
import { applyMerge } from "../../worktree/apply-merge.ts";
import { switchTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import { strategyOptions } from "../merge/strategy-options.ts";
import { type LabelledCommit, labelCommit } from "../sequencer/commit-label.ts";
import { emptyCommit } from "./empty-commit.ts";
import { type RebaseState, rebaseAction, rebaseFolder } from "./rebase-state.ts";
import { type Octopus, runOctopus } from "./run-octopus.ts";
import type { TodoItem } from "./todo-item.ts";

const REWRITTEN = "refs/rewritten/";

export async function runLabel(repo: WorkRepository, name: string, head: Oid): Promise<void> {
  const ref = `${REWRITTEN}${name}`;
  await repo.refs.update([{ name: ref, to: head }], reflogIdentity(repo));
  const path = `${rebaseFolder(repo)}/refs-to-delete`;
  const [bytes] = await repo.fs.readMany([path]);
  await repo.fs.writeFile(path, `${bytes ? decode(bytes) : ""}${ref}\n`);
}

export async function removeLabels(repo: WorkRepository): Promise<void> {
  const [bytes] = await repo.fs.readMany([`${rebaseFolder(repo)}/refs-to-delete`]);
  const names = bytes ? new Set(decode(bytes).split("\n")) : new Set<string>();
  for (const name of names) {
    if (!name.startsWith(REWRITTEN) || (await repo.refs.read(name)) === null) continue;
    await repo.refs.update([{ name, to: null }], reflogIdentity(repo));
  }
}

/** Returns the reflog message. */
export async function runReset(repo: WorkRepository, state: RebaseState, text: string, head: Oid): Promise<string> {
  const [name = ""] = text.split(/(?<!\s)\s+#/);
  const to = name.trim() === "[new root]" ? await newRoot(repo, state) : await labelled(repo, name.trim());
  const message = `${rebaseAction(repo)} (reset): '${name.trim()}'`;
  if (to === head) return message;
  await switchTree(repo, await treeOfCommit(repo, head), await treeOfCommit(repo, to));
  await repo.refs.update([{ name: "HEAD", to, from: head, noDeref: true, message }], reflogIdentity(repo));
  return message;
}

/** Created for the first branch that starts from nothing, and reused for later ones. */
async function newRoot(repo: WorkRepository, state: RebaseState): Promise<Oid> {
  if (state.squashOnto === undefined) {
    state.squashOnto = await emptyCommit(repo);
    await repo.fs.writeFile(`${rebaseFolder(repo)}/squash-onto`, `${state.squashOnto}\n`);
  }
  return state.squashOnto;
}

async function labelled(repo: WorkRepository, name: string): Promise<Oid> {
  const oid = (await repo.refs.resolve(`${REWRITTEN}${name}`))?.oid ?? (await findCommit(repo, name));
  if (oid) return oid;
  throw new GitError("ENOTFOUND", `could not resolve '${name}'`, { prefix: "error", exitCode: 1 });
}

export type MergedAgain =
  | { readonly kind: "nothing" }
  | { readonly kind: "forward"; readonly to: Oid }
  | Octopus
  | {
      readonly kind: "merged";
      readonly clean: boolean;
      readonly tree: Oid;
      readonly parents: readonly Oid[];
      readonly messages: readonly string[];
      readonly message: string;
      readonly original: LabelledCommit | null;
    };

/** Writes the merge to index and files, without a commit. */
export async function runMerge(
  repo: WorkRepository,
  state: RebaseState,
  item: TodoItem,
  head: Oid,
): Promise<MergedAgain> {
  const [names = "", subject] = item.text.split(/(?<!\s)\s+#\s*/, 2);
  const words = names.split(/\s+/).filter((word) => word !== "");
  const heads: Oid[] = [];
  for (const word of words) heads.push(await labelled(repo, word));
  const original = item.oid === null ? null : await labelCommit(repo, item.oid);
  const same = (a: readonly Oid[], b: readonly Oid[]) => a.length === b.length && a.every((oid, i) => oid === b[i]);
  const plain = !state.force && !state.signoff && state.dates === "committer";
  if (plain && original !== null && same(original.commit.parents, [head, ...heads])) {
    await switchTree(repo, await treeOfCommit(repo, head), original.commit.tree, { verb: "merge" });
    return { kind: "forward", to: original.oid };
  }
  const [other, more] = heads;
  if (other === undefined)
    throw new GitError("EINVAL", `nothing to merge: '${item.text}'`, { prefix: "error", exitCode: 1 });
  const message = original?.message ?? `${subject || `Merge branch '${words.join("' and '")}'`}\n`;
  if (more !== undefined) return runOctopus(repo, state, heads, { original, message });
  const bases = await mergeBases(repo, head, [other]);
  if (bases[0] === other) return { kind: "nothing" };
  const merged = await mergeCommits(repo, head, other, bases, {
    ...strategyOptions(repo, state.strategyOptions),
    ours: "HEAD",
    theirs: `${REWRITTEN}${words[0]}`,
  });
  await applyMerge(repo, await treeOfCommit(repo, head), merged);
  const { clean, tree, messages } = merged;
  return { kind: "merged", clean, tree, parents: [head, other], messages, message, original };
}
