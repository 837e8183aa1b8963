/**
 * The todo list of `rebase --rebase-merges`: replays merged branches one after the other, each from its starting point, labels the
 * tip of each, and recreates the merges from the labels. The branch itself comes last.
 */
import { commitSubject } from "../../message/commit-message.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import type { TodoItem } from "./todo-item.ts";

export interface ToReplay {
  readonly oid: Oid;
  readonly parents: readonly Oid[];
  /** Omitted: upstream has it, or it is empty and those are dropped. */
  readonly left: boolean;
}

export interface MergeTodo {
  readonly todo: TodoItem[];
  /** The comments that an editor would show between the lines. */
  readonly commentsBefore: ReadonlyMap<TodoItem, readonly string[]>;
}

/**
 * `commits`: parents before children. `base`: where they left the upstream. `cousins`: also moves branches that left it elsewhere
 * to the new base; `roots`: also those without a parent.
 */
export async function makeMergeTodo(
  repo: Repository,
  commits: readonly ToReplay[],
  { base, cousins, roots }: { readonly base: Oid | undefined; readonly cousins: boolean; readonly roots: boolean },
): Promise<MergeTodo> {
  const labels = new Labels(repo);
  if (base !== undefined) await labels.of(base, "onto");
  const replayed = new Map(commits.map((commit) => [commit.oid, commit]));
  const items = new Map<Oid, TodoItem>();
  const tips: Oid[] = [];
  for (const { oid, parents, left } of commits) {
    if (left) continue;
    const subject = await subjectAt(repo, oid);
    if (parents.length < 2) {
      items.set(oid, { command: "pick", oid, text: subject });
      continue;
    }
    const names: string[] = [];
    for (const parent of parents.slice(1)) {
      const isReplayed = replayed.has(parent);
      if (isReplayed) tips.push(parent);
      names.push(await labels.of(parent, isReplayed ? branchNamed(subject) : null));
    }
    items.set(oid, { command: "merge", oid, flag: "-C", text: `${names.join(" ")} # ${subject}` });
  }
  const seen = new Set<Oid>();
  for (const { parents } of commits) {
    for (const parent of parents.filter((one) => replayed.has(one))) {
      if (seen.has(parent)) await labels.of(parent, "branch-point");
      seen.add(parent);
    }
  }
  const last = commits.at(-1);
  if (last !== undefined) tips.push(last.oid);
  return writeBranches(repo, { tips, replayed, items, labels, cousins, roots });
}

interface Branches {
  readonly tips: readonly Oid[];
  readonly replayed: ReadonlyMap<Oid, ToReplay>;
  readonly items: ReadonlyMap<Oid, TodoItem>;
  readonly labels: Labels;
  readonly cousins: boolean;
  readonly roots: boolean;
}

async function writeBranches(repo: Repository, branches: Branches): Promise<MergeTodo> {
  const { tips, replayed, items, labels } = branches;
  const todo: TodoItem[] = [{ command: "label", oid: null, text: "onto" }];
  const commentsBefore = new Map<TodoItem, readonly string[]>();
  const displayed = new Set<Oid>();
  for (const tip of tips) {
    if (displayed.has(tip)) continue;
    const line: Oid[] = [];
    let at: Oid | undefined = tip;
    for (; at !== undefined && replayed.has(at) && !displayed.has(at); at = replayed.get(at)?.parents[0])
      line.unshift(at);
    const name = labels.known(tip);
    const start = await startOf(repo, at, branches);
    commentsBefore.set(start, ["", ...(name === undefined ? [] : [`# Branch ${name}`])]);
    todo.push(start);
    for (const oid of line) {
      displayed.add(oid);
      const item = items.get(oid);
      if (item !== undefined) todo.push(item);
      const label = labels.known(oid);
      if (label !== undefined) todo.push({ command: "label", oid: null, text: label });
    }
  }
  return { todo, commentsBefore };
}

/** The start of a branch: a label, the new base, a new root, or a commit that stays unchanged. */
async function startOf(repo: Repository, at: Oid | undefined, branches: Branches): Promise<TodoItem> {
  const { labels, cousins, roots } = branches;
  const reset = (text: string): TodoItem => ({ command: "reset", oid: null, text });
  if (at === undefined) return reset(cousins || roots ? "onto" : "[new root]");
  const label = labels.known(at) ?? (cousins ? undefined : await labels.of(at, null));
  if (label === undefined || label === "onto") return reset("onto");
  return reset(`${label} # ${await subjectAt(repo, at)}`);
}

async function subjectAt({ odb }: Repository, oid: Oid): Promise<string> {
  return commitSubject(parseCommit((await odb.need(oid, "commit")).body).message);
}

/** The merged branch, by the merge's subject. */
function branchNamed(subject: string): string {
  const quoted = /^Merge [^']*'([^']*)'/.exec(subject)?.[1];
  return quoted ?? /^Merge pull request .*? from (.*)$/.exec(subject)?.[1] ?? subject;
}

/** Unique labels for commits that are valid in refs. */
class Labels {
  readonly #byOid = new Map<Oid, string>();
  readonly #used = new Set<string>();

  constructor(readonly repo: Repository) {}

  known(oid: Oid): string | undefined {
    return this.#byOid.get(oid);
  }

  /** `wanted` null: uses the abbreviated id. */
  async of(oid: Oid, wanted: string | null): Promise<string> {
    const known = this.#byOid.get(oid);
    if (known !== undefined) return known;
    const short = await this.repo.odb.abbreviate(oid);
    const safe = wanted === null ? short : safeLabel(wanted) || `rev-${short}`;
    let label = safe;
    for (let n = 2; this.#used.has(label.toLowerCase()) || /^[0-9a-f]{40}$/.test(label); n++) label = `${safe}-${n}`;
    this.#used.add(label.toLowerCase());
    this.#byOid.set(oid, label);
    return label;
  }
}

/** Keeps letters, digits and non-ASCII characters; replaces runs of anything else by one dash. */
function safeLabel(text: string): string {
  return text.replace(/[^A-Za-z0-9\u0080-\u{10ffff}]+/gu, () => "-").replace(/^-/, () => "");
}
