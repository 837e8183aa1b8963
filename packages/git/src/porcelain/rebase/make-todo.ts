/** What a rebase has to replay: the commits of the branch that upstream has not, oldest first, without those it has in other words. */
import { subjectOf } from "../../format/commit-message.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../oid.ts";
import type { Repository } from "../../repository.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { walk } from "../../revision/walk.ts";
import { patchIdOf } from "../patch-id.ts";
import type { TodoItem } from "./rebase-state.ts";

export interface MadeTodo {
  readonly todo: TodoItem[];
  /** Left out, since upstream has the same change. */
  readonly skipped: readonly Oid[];
}

export interface MakeTodoOptions {
  /** Null: from the root. */
  readonly upstream: Oid | null;
  readonly head: Oid;
  readonly reapplyCherryPicks?: boolean;
  readonly autosquash?: boolean;
  /** Those that change nothing are left out. */
  readonly dropEmpty?: boolean;
}

export async function makeTodo(repo: Repository, options: MakeTodoOptions): Promise<MadeTodo> {
  const { upstream, head, reapplyCherryPicks = false } = options;
  const todo: TodoItem[] = [];
  const skipped: Oid[] = [];
  const bases = upstream === null ? [] : await mergeBases(repo, upstream, [head]);
  const tips = [
    { oid: head },
    ...(upstream === null ? [] : [{ oid: upstream, left: true }]),
    ...bases.map((oid) => ({ oid, uninteresting: true })),
  ];
  const marks = upstream !== null && !reapplyCherryPicks;
  const commits = walk(repo, {
    tips,
    order: "topo",
    reverse: true,
    maxParents: 1,
    rightOnly: true,
    ...(marks ? { cherry: "mark" as const, patchId: (node) => patchIdOf(repo, node) } : {}),
  });
  for await (const { oid, patchSame, left, node } of commits) {
    if (left) continue;
    if (patchSame) {
      skipped.push(oid);
      continue;
    }
    const { message } = parseCommit((await repo.odb.need(oid, "commit")).body);
    if (options.dropEmpty && (await isEmpty(repo, node))) continue;
    todo.push({ command: "pick", oid, text: subjectOf(message) });
  }
  return { todo: options.autosquash ? rearranged(todo) : todo, skipped };
}

async function isEmpty(
  { odb }: Repository,
  { tree, parents }: { tree: Oid; parents: readonly Oid[] },
): Promise<boolean> {
  const [parent] = parents;
  return parent !== undefined && parseCommit((await odb.need(parent, "commit")).body).tree === tree;
}

/** `fixup! x` and `squash! x` come right after x. */
function rearranged(items: readonly TodoItem[]): TodoItem[] {
  const groups: { head: TodoItem; followers: TodoItem[] }[] = [];
  for (const item of items) {
    const [, kind, wanted = ""] = /^(fixup|squash)! ((?:(?:fixup|squash)! )*.*)$/.exec(item.text) ?? [];
    const subject = wanted.replace(/^(?:(?:fixup|squash)! )+/, () => "");
    const target =
      kind === undefined
        ? undefined
        : (groups.find(({ head }) => head.text === subject || head.oid?.startsWith(subject)) ??
          groups.find(({ head }) => head.text.startsWith(subject)));
    if (target === undefined) groups.push({ head: item, followers: [] });
    else target.followers.push({ ...item, command: kind as "fixup" | "squash" });
  }
  return groups.flatMap(({ head, followers }) => [head, ...followers]);
}
