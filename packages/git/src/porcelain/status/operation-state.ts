/** Detects operations in progress in a repository from their files in .git. */

import { type Oid, parseOid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { expandRef } from "../../revision/expand-ref.ts";
import { peelTo } from "../../revision/peel.ts";
import { decode } from "../../text/bytes.ts";

export interface OperationState {
  readonly merge: boolean;
  readonly am: { readonly emptyPatch: boolean } | null;
  readonly rebase: RebaseProgress | null;
  /** Null id: between two picks of a sequence. */
  readonly cherryPick: {
    readonly oid: Oid | null /** CHERRY_PICK_HEAD is there. */;
    readonly stopped?: boolean;
  } | null;
  readonly revert: { readonly oid: Oid | null } | null;
  /** The branch it started from, "" when unknown. */
  readonly bisect: string | null;
}

export interface RebaseProgress {
  readonly interactive: boolean;
  /** Display names; null: a detached HEAD is rebased. */
  readonly branch: string | null;
  readonly onto: string | null;
  readonly done: readonly string[];
  /** Null: the file is missing. */
  readonly todo: readonly string[] | null;
  /** `.git/MERGE_MSG` exists: a conflict is being resolved. */
  readonly hasMessage: boolean;
  /** HEAD has moved from the edited commit. */
  readonly splitting: boolean;
}

export async function readOperationState(repo: Repository): Promise<OperationState> {
  const { fs, gitDir } = repo;
  const names = [
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "BISECT_LOG",
    "rebase-apply/applying",
    "rebase-apply/head-name",
    "rebase-merge/head-name",
    "sequencer/todo",
  ];
  const read = await fs.readMany(names.map((name) => `${gitDir}/${name}`));
  const texts = new Map(names.map((name, i) => [name, read[i] ? decode(read[i] as Uint8Array) : null]));
  const has = (name: string) => (texts.get(name) ?? null) !== null;
  const isApplying = has("rebase-apply/applying");
  const todo = texts.get("sequencer/todo") ?? "";
  const next = /^[ \t]*(pick|p|revert)\b/m.exec(todo)?.[1];
  const picks = next === "pick" || next === "p";
  return {
    merge: has("MERGE_HEAD"),
    am: isApplying ? { emptyPatch: await isEmptyPatch(repo) } : null,
    rebase: isApplying ? null : await rebaseState(repo, has("rebase-merge/head-name"), has("rebase-apply/head-name")),
    // Within a sequence git 2.39 does not name the current commit.
    cherryPick: picks
      ? { oid: null, stopped: has("CHERRY_PICK_HEAD") }
      : has("CHERRY_PICK_HEAD")
        ? { oid: parseOid((texts.get("CHERRY_PICK_HEAD") as string).trim()) }
        : null,
    revert:
      next === "revert"
        ? { oid: null }
        : has("REVERT_HEAD")
          ? { oid: parseOid((texts.get("REVERT_HEAD") as string).trim()) }
          : null,
    bisect: has("BISECT_LOG") ? ((await displayName(repo, "BISECT_START")) ?? "") : null,
  };
}

async function isEmptyPatch({ fs, gitDir }: Repository): Promise<boolean> {
  const next = await fs.readFile(`${gitDir}/rebase-apply/next`, "utf8").catch(() => "");
  const patch = await fs.stat(`${gitDir}/rebase-apply/${next.trim().padStart(4, "0")}`).catch(() => null);
  const applied = await fs.stat(`${gitDir}/rebase-apply/patch`).catch(() => null);
  return (applied ?? patch)?.size === 0;
}

async function rebaseState(repo: Repository, isMerge: boolean, isApply: boolean): Promise<RebaseProgress | null> {
  if (!isMerge && !isApply) return null;
  const { fs, gitDir } = repo;
  const folder = isMerge ? "rebase-merge" : "rebase-apply";
  const text = (name: string) => fs.readFile(`${gitDir}/${name}`, "utf8").catch(() => null);
  const interactive = isMerge && (await fs.exists(`${gitDir}/rebase-merge/interactive`));
  const done = interactive ? await text("rebase-merge/done") : null;
  const todo = interactive ? await text("rebase-merge/git-rebase-todo") : null;
  return {
    interactive,
    branch: await displayName(repo, `${folder}/head-name`),
    onto: await displayName(repo, `${folder}/onto`),
    done: done === null ? [] : await todoLines(repo, done),
    todo: todo === null ? null : await todoLines(repo, todo),
    hasMessage: await fs.exists(`${gitDir}/MERGE_MSG`),
    splitting: isMerge && (await isSplitting(repo)),
  };
}

/** As a user wrote it: ids abbreviated, comments removed. */
async function todoLines(repo: Repository, text: string): Promise<string[]> {
  const lines: string[] = [];
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#")) continue;
    const [, verb, oid, rest] = /^(\S+) ([0-9a-f]{40})(.*)$/.exec(line) ?? [];
    const whole = oid === undefined ? null : parseOid(oid);
    if (whole === null || verb === "x" || verb === "exec" || verb === "label" || verb === "l") lines.push(line);
    else lines.push(`${verb} ${await repo.odb.abbreviate(whole)}${rest}`);
  }
  return lines;
}

/** A branch by its short name, an id abbreviated; null: "detached HEAD", or missing. */
async function displayName({ fs, gitDir, odb }: Repository, name: string): Promise<string | null> {
  const text = (await fs.readFile(`${gitDir}/${name}`, "utf8").catch(() => "")).trimEnd();
  if (text === "" || text === "detached HEAD") return null;
  if (text.startsWith("refs/heads/")) return text.slice("refs/heads/".length);
  const oid = parseOid(text);
  return oid === null ? text : odb.abbreviate(oid);
}

async function isSplitting({ fs, gitDir, refs }: Repository): Promise<boolean> {
  const read = (name: string) => fs.readFile(`${gitDir}/${name}`, "utf8").catch(() => null);
  const amend = (await read("rebase-merge/amend"))?.trim();
  const original = (await read("rebase-merge/orig-head"))?.trim();
  const head = (await refs.resolve("HEAD"))?.oid;
  if (amend === undefined || original === undefined || head === null || head === undefined) return false;
  if ((await refs.read("HEAD"))?.kind === "symbolic") return false;
  return amend === original ? head !== amend : head !== original && head !== amend;
}

export interface DetachedFrom {
  readonly name: string;
  /** HEAD has not moved. */
  readonly at: boolean;
}

/** Reads from the reflog where HEAD was detached; null: unknown. */
export async function readDetachedFrom(repo: Repository, head: Oid | null): Promise<DetachedFrom | null> {
  for (const { message, to } of (await repo.refs.reflog("HEAD")).reverse()) {
    const [, target] = /^checkout: moving from .* to (.*)$/s.exec(message) ?? [];
    if (target === undefined) continue;
    const name = target.trimEnd();
    const at = head === to;
    const found = name === "HEAD" ? null : await expandRef(repo, name);
    const commit = found?.oid ? await peelTo(repo, found.oid, "commit") : null;
    if (found?.count === 1 && commit === to)
      return { name: found.name.replace(/^refs\/(?:tags|remotes)\//, () => ""), at };
    return { name: await repo.odb.abbreviate(to), at };
  }
  return null;
}
