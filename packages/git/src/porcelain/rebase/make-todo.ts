/** The commits a rebase replays: those in upstream..head whose patch id upstream lacks, oldest first. */

import { commitSubject } from "../../message/commit-message.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { mergeBases } from "../../revision/merge-base.ts";
import { walk } from "../../revision/walk.ts";
import { logOutputEncoding, reencode, UTF8 } from "../../text/encodings.ts";
import { patchIdOf } from "../log/patch-id.ts";
import { makeMergeTodo, type ToReplay } from "./make-merge-todo.ts";
import type { TodoItem } from "./todo-item.ts";
import { addUpdateRefs } from "./update-refs.ts";

export interface RebaseTodo {
  readonly todo: TodoItem[];
  /** Omitted, since upstream has the same change. */
  readonly skipped: readonly Oid[];
  /** The comments that an editor would show between the lines. */
  readonly commentsBefore: ReadonlyMap<TodoItem, readonly string[]>;
  /** Commits without changes, which the list marks. */
  readonly empties: ReadonlySet<Oid>;
}

export interface MakeTodoOptions {
  /** Null: from the root. */
  readonly upstream: Oid | null;
  readonly head: Oid;
  readonly reapplyCherryPicks?: boolean;
  readonly autosquash?: boolean;
  /** Omits commits without changes. */
  readonly dropEmpty?: boolean;
  /** The fork point, even if the upstream was rewound since: commits it reaches are not replayed. */
  readonly forkPoint?: Oid;
  /** Recreates merges. `cousins`: also replays what was never on the upstream; `roots`: also what has no parent. */
  readonly merges?: { readonly cousins: boolean; readonly roots: boolean };
  /** Updates branches that point at replayed commits; all but this one. */
  readonly updateRefsBut?: string;
}

export async function makeTodo(repo: Repository, options: MakeTodoOptions): Promise<RebaseTodo> {
  const { upstream, head, reapplyCherryPicks = false } = options;
  const todo: TodoItem[] = [];
  const replays: ToReplay[] = [];
  const empties = new Set<Oid>();
  const skipped: Oid[] = [];
  const bases = upstream === null ? [] : await mergeBases(repo, upstream, [head]);
  const tips = [
    { oid: head },
    ...(upstream === null ? [] : [{ oid: upstream, left: true }]),
    ...bases.map((oid) => ({ oid, uninteresting: true })),
    ...(options.forkPoint === undefined ? [] : [{ oid: options.forkPoint, uninteresting: true }]),
  ];
  const marks = upstream !== null && !reapplyCherryPicks;
  const commits = walk(repo, {
    tips,
    order: "topo",
    reverse: true,
    ...(options.merges ? {} : { maxParents: 1 }),
    rightOnly: true,
    ...(marks ? { cherry: "mark" as const, patchId: (node) => patchIdOf(repo, node) } : {}),
  });
  for await (const { oid, patchSame, left, node } of commits) {
    if (left) continue;
    if (patchSame) skipped.push(oid);
    const empty = await isEmpty(repo, node);
    const leftOut = patchSame || (options.dropEmpty === true && empty);
    if (empty) empties.add(oid);
    replays.push({ oid, parents: node.parents, left: leftOut });
    if (leftOut) continue;
    const { message } = parseCommit((await repo.odb.need(oid, "commit")).body);
    todo.push({ command: "pick", oid, text: commitSubject(message) });
  }
  const { merges, updateRefsBut } = options;
  let list: Pick<RebaseTodo, "todo" | "commentsBefore"> = merges
    ? await makeMergeTodo(repo, replays, { ...merges, base: bases[0] })
    : { todo, commentsBefore: new Map() };
  if (updateRefsBut !== undefined) list = await addUpdateRefs(repo, list.todo, updateRefsBut, list.commentsBefore);
  const encoding = logOutputEncoding(repo.config);
  const arranged = (options.autosquash ? rearranged(list.todo) : list.todo).map((item) => {
    const text = reencode(item.text, UTF8, encoding) ?? item.text;
    return text === item.text ? item : { ...item, text };
  });
  return { todo: arranged, commentsBefore: list.commentsBefore, skipped, empties };
}

async function isEmpty(
  { odb }: Repository,
  { tree, parents }: { tree: Oid; parents: readonly Oid[] },
): Promise<boolean> {
  const [parent] = parents;
  return parent !== undefined && parseCommit((await odb.need(parent, "commit")).body).tree === tree;
}

interface Placed {
  readonly item: TodoItem;
  readonly followers: Placed[];
}

/** Moves `fixup! x`, `squash! x` and `amend! x` right after x, and commits for one of them right after that. */
function rearranged(items: readonly TodoItem[]): TodoItem[] {
  const all: Placed[] = [];
  const first: Placed[] = [];
  for (const item of items) {
    const [, kind, subject = ""] =
      item.command === "pick"
        ? (/^(fixup|squash|amend)!\s+(?:(?:fixup|squash|amend)!\s+)*(.+)$/.exec(item.text) ?? [])
        : [];
    const find = (is: (one: TodoItem) => boolean | undefined) => all.find((one) => is(one.item));
    const target =
      kind === undefined
        ? undefined
        : (find(({ text }) => text === subject) ??
          find(({ oid }) => oid?.startsWith(subject)) ??
          find(({ text }) => text.startsWith(subject)));
    const placed = { item: target === undefined ? item : follower(item, kind as "fixup"), followers: [] };
    (target?.followers ?? first).push(placed);
    all.push(placed);
  }
  const inOrder = ({ item, followers }: Placed): TodoItem[] => [item, ...followers.flatMap(inOrder)];
  return first.flatMap(inOrder);
}

function follower(item: TodoItem, kind: "fixup" | "squash" | "amend"): TodoItem {
  return kind === "amend" ? { ...item, command: "fixup", flag: "-C" } : { ...item, command: kind };
}
