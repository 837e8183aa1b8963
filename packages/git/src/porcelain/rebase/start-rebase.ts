/** Starts a rebase: detaches HEAD at the new base, after the commits that are already in place. */

import { GitError } from "../../errors.ts";
import { type Commit, parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { encode } from "../../text/bytes.ts";
import { switchTree } from "../../worktree/switch-tree.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import { type RebaseState, rebaseAction, rebaseFolder, writeRebaseState } from "./rebase-state.ts";
import { formatTodo, type TodoItem } from "./todo-item.ts";
import { beginUpdateRefs } from "./update-refs.ts";

/** `ontoName` is for the reflog. */
export async function startRebase(repo: WorkRepository, input: RebaseState, ontoName: string): Promise<RebaseState> {
  const { todo, done, at } =
    input.force || input.signoff || input.dates !== "committer"
      ? { todo: input.todo, done: [] as readonly TodoItem[], at: input.onto }
      : await skipUnnecessary(repo, input);
  const state = { ...input, todo, done };
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const before = head === null ? null : await treeOfCommit(repo, head);
  await switchTree(repo, before, await treeOfCommit(repo, at)).catch(withReason("could not detach HEAD"));
  await writeRebaseState(repo, state);
  await repo.fs.writeFile(`${rebaseFolder(repo)}/git-rebase-todo.backup`, encode(formatTodo(input.todo)));
  await beginUpdateRefs(repo, input.todo);
  const who = reflogIdentity(repo);
  const message = `${rebaseAction(repo)} (start): checkout ${ontoName}`;
  await repo.refs.update([{ name: "ORIG_HEAD", to: input.origHead, noDeref: true }], who);
  await repo.refs.update([{ name: "HEAD", to: at, noDeref: true, message }], who);
  return state;
}

/** Adds to the error what a refused checkout means for the rebase. */
export function withReason(text: string) {
  return (error: unknown): never => {
    if (!(error instanceof GitError) || error.code !== "ESTATE") throw error;
    const hint = `${error.hint ?? ""}error: ${text}\n`;
    throw new GitError("ESTATE", error.message, { prefix: "error", exitCode: 1, hint, cause: error });
  };
}

/** Skips picks whose parent is already the base. */
async function skipUnnecessary(
  { odb }: WorkRepository,
  { todo, onto }: RebaseState,
): Promise<{ todo: readonly TodoItem[]; done: readonly TodoItem[]; at: Oid }> {
  let at = onto;
  let count = 0;
  for (const { command, oid } of todo) {
    if (command === "drop") {
      count++;
      continue;
    }
    if (command !== "pick" || oid === null) break;
    const { parents }: Commit = parseCommit((await odb.need(oid, "commit")).body);
    if (parents.length !== 1 || parents[0] !== at) break;
    at = oid;
    count++;
  }
  return { todo: todo.slice(count), done: todo.slice(0, count), at };
}

/** True if nothing would change: the branch is linear on top of the base. */
export async function isUpToDate(repo: WorkRepository, onto: Oid, upstream: Oid, head: Oid): Promise<boolean> {
  const bases = await mergeBases(repo, onto, [head]);
  if (bases.length !== 1 || bases[0] !== onto) return false;
  if (upstream !== onto) {
    const others = await mergeBases(repo, upstream, [head]);
    if (others.length !== 1 || others[0] !== onto) return false;
  }
  for (let oid = head; oid !== onto; ) {
    const { parents } = parseCommit((await repo.odb.need(oid, "commit")).body);
    if (parents.length !== 1) return false;
    oid = parents[0] as Oid;
  }
  return true;
}
