/** `rebase --update-refs`: moves branches that point at replayed commits, all at the end. `update-refs` is git's own file. */

import { type Oid, parseOid, ZERO_OID } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import { checkedOutBranches } from "../../repository/work-trees.ts";
import type { Repository } from "../../repository.ts";
import { decode } from "../../text/bytes.ts";
import { rebaseFolder } from "./rebase-state.ts";
import type { TodoItem } from "./todo-item.ts";

interface Tracked {
  readonly ref: string;
  readonly before: Oid;
  readonly after: Oid;
}

export interface WithUpdates {
  readonly todo: TodoItem[];
  /** A blank line follows each group. */
  readonly commentsBefore: Map<TodoItem, readonly string[]>;
}

/** Adds a line after each commit that a branch points at, except the rebased branch and branches checked out in work trees. */
export async function addUpdateRefs(
  repo: Repository,
  todo: readonly TodoItem[],
  headName: string,
  gaps: ReadonlyMap<TodoItem, readonly string[]> = new Map(),
): Promise<WithUpdates> {
  const elsewhere = await checkedOutBranches(repo);
  const branches = (await repo.refs.list("refs/heads/")).filter(
    ({ name }) => name !== headName && !elsewhere.has(name),
  );
  const added: TodoItem[] = [];
  const commentsBefore = new Map(gaps);
  let gap = false;
  for (const item of todo) {
    if (gap) commentsBefore.set(item, ["", ...(commentsBefore.get(item) ?? [])]);
    gap = false;
    added.push(item);
    if (item.oid === null) continue;
    for (const { name, oid } of branches) {
      if (oid !== item.oid) continue;
      added.push({ command: "update-ref", oid: null, text: name });
      gap = true;
    }
  }
  return { todo: added, commentsBefore };
}

export async function beginUpdateRefs(repo: Repository, todo: readonly TodoItem[]): Promise<void> {
  const tracked: Tracked[] = [];
  for (const { command, text } of todo) {
    if (command !== "update-ref") continue;
    tracked.push({ ref: text, before: (await repo.refs.resolve(text))?.oid ?? ZERO_OID, after: ZERO_OID });
  }
  if (tracked.length > 0) await write(repo, tracked);
}

/** Records the current HEAD as the ref's new value. */
export async function noteUpdateRef(repo: Repository, ref: string, head: Oid): Promise<void> {
  const tracked = await read(repo);
  const known = tracked.find((one) => one.ref === ref);
  // A line added later names a ref that was not recorded at the start.
  if (known) await write(repo, [...tracked.filter((one) => one !== known), { ...known, after: head }]);
}

export interface UpdatedRefs {
  readonly moved: readonly string[];
  /** They changed during the rebase. */
  readonly failed: readonly string[];
}

export async function endUpdateRefs(repo: Repository): Promise<UpdatedRefs> {
  const [moved, failed]: [string[], string[]] = [[], []];
  for (const { ref, before, after } of (await read(repo)).sort((a, b) => (a.ref < b.ref ? -1 : 1))) {
    if (after === ZERO_OID) continue;
    const change = { name: ref, to: after, ...(before === ZERO_OID ? {} : { from: before }) };
    const update = repo.refs.update([{ ...change, message: "rewritten during rebase" }], reflogIdentity(repo));
    await update.then(
      () => moved.push(ref),
      () => failed.push(ref),
    );
  }
  return { moved, failed };
}

const file = (repo: Repository) => `${rebaseFolder(repo)}/update-refs`;

async function read(repo: Repository): Promise<Tracked[]> {
  const [bytes] = await repo.fs.readMany([file(repo)]);
  const lines = bytes ? decode(bytes).split("\n") : [];
  const tracked: Tracked[] = [];
  for (let at = 0; at + 2 < lines.length; at += 3) {
    const [before, after] = [parseOid(lines[at + 1] as string), parseOid(lines[at + 2] as string)];
    if (before !== null && after !== null) tracked.push({ ref: lines[at] as string, before, after });
  }
  return tracked;
}

async function write(repo: Repository, tracked: readonly Tracked[]): Promise<void> {
  const text = tracked.map(({ ref, before, after }) => `${ref}\n${before}\n${after}\n`).join("");
  await repo.fs.writeFile(file(repo), text);
}
