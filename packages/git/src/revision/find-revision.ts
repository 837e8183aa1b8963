/**
 * Resolves any revision syntax of git: an id or its prefix, a ref, `@{…}`, `~2^2`, `^{tree}`, `:/text`, `:1:path`, `rev:path`,
 * `v1-3-gabc`. Suffixes are parsed from the right, so `a~1^2` is "the second parent of (the parent of a)".
 */
import { GitError } from "../errors.ts";
import { MODE_TREE } from "../object/file-mode.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import type { ObjectType } from "../odb/object-database.ts";
import { isRefName } from "../refs/ref-name.ts";
import type { Repository } from "../repository.ts";
import { interpretBranchName } from "./branch-mark.ts";
import { type CommitNode, commitReader } from "./commit-node.ts";
import { expandLog, expandRef, warnsAmbiguous } from "./expand-ref.ts";
import { findByMessage } from "./find-by-message.ts";
import { peelTags, peelTo } from "./peel.ts";
import { reflogAt } from "./reflog-at.ts";
import { type DisambiguationHint, describedPrefix, findShortOid } from "./short-oid.ts";
import { entryAtPath } from "./tree-path.ts";

export interface ResolvedRevision {
  readonly oid: Oid;
  /** For `rev:path` and `:path`. */
  readonly path?: string;
  readonly mode?: number;
}

export interface FindOptions {
  /** The expected type, to disambiguate objects with the same prefix. */
  readonly wanted?: DisambiguationHint;
  /** No warning about ambiguous names. */
  readonly quiet?: boolean;
}

/** Null: not found. Throws git's fatal errors (an empty reflog, no upstream). */
export async function findRevision(
  repo: Repository,
  text: string,
  options: FindOptions = {},
): Promise<ResolvedRevision | null> {
  const plain = await findObject(repo, text, options);
  if (plain) return { oid: plain };
  if (text.startsWith(":")) return findInIndexOrMessage(repo, text);
  const colon = colonOutsideBraces(text);
  if (colon < 0) return null;
  const start = await findObject(repo, text.slice(0, colon), { ...options, wanted: "treeish" });
  const tree = start && (await peelTo(repo, start, "tree"));
  if (!tree) return null;
  const path = inRepository(repo, text.slice(colon + 1));
  if (path === "") return { oid: tree, path, mode: MODE_TREE };
  const entry = await entryAtPath(repo, tree, path);
  return entry && { ...entry, path };
}

/** "./x" and "../x" are relative to the command's directory. */
export function inRepository({ prefix, workTree }: Pick<Repository, "prefix" | "workTree">, path: string): string {
  if (!/^\.\.?(\/|$)/.test(path)) return path;
  const parts = prefix.split("/").filter(Boolean);
  for (const part of path.split("/")) {
    if (part === ".." && parts.length === 0)
      throw new GitError("EINVAL", `'${path}' is outside repository at '${workTree ?? ""}'`);
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

async function findInIndexOrMessage(repo: Repository, text: string): Promise<ResolvedRevision | null> {
  if (text.startsWith(":/")) {
    const oid = await findByMessage(repo, text.slice(2), null);
    return oid && { oid };
  }
  const [, stage = "0", typed = ""] = /^:(?:([0-3]):)?(.*)$/s.exec(text) ?? [];
  const path = inRepository(repo, typed);
  const entry = (await repo.readIndexEntries?.(path))?.find((one) => one.stage === Number(stage));
  return entry ? { oid: entry.oid, mode: entry.mode, path } : null;
}

export function colonOutsideBraces(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === "{") depth++;
    else if (text[i] === "}" && depth > 0) depth--;
    else if (text[i] === ":" && depth === 0) return i;
  }
  return -1;
}

async function findObject(repo: Repository, text: string, options: FindOptions): Promise<Oid | null> {
  // Parses suffixes from the right; applies them from the left once the name is resolved.
  const suffixes: string[] = [];
  let name = text;
  for (;;) {
    const suffix = /(?:[~^]\d*|\^\{[^}]*\})$/.exec(name)?.[0];
    if (suffix === undefined) break;
    suffixes.push(suffix);
    name = name.slice(0, -suffix.length);
  }
  // "^{/a}b}" and the like: a pattern may contain braces.
  const pattern = suffixes.length === 0 ? /^(.*?)\^\{(\/.*)\}$/s.exec(name) : null;
  if (pattern) {
    suffixes.push(`^{${pattern[2]}}`);
    name = pattern[1] as string;
  }
  const first = suffixes.at(-1);
  const wanted = first === undefined ? options.wanted : wantedBy(first);
  let oid = await findName(repo, name, { ...options, wanted });
  for (const suffix of suffixes.reverse()) {
    if (oid === null) return null;
    name += suffix;
    oid = await applySuffix(repo, oid, suffix, name);
  }
  return oid;
}

function wantedBy(suffix: string): DisambiguationHint {
  if (suffix === "^{tree}") return "treeish";
  if (suffix === "^{blob}") return "blob";
  if (suffix.startsWith("^{") && suffix !== "^{commit}" && !suffix.startsWith("^{/")) return "any";
  return "committish";
}

const MAX_STEPS = 2 ** 31 - 1;

/** `name` with the suffix, for the error if it leads to another type. */
async function applySuffix(repo: Repository, oid: Oid, suffix: string, name: string): Promise<Oid | null> {
  if (suffix.startsWith("^{")) {
    const inner = suffix.slice(2, -1);
    if (inner === "") return (await peelTags(repo, oid))?.oid ?? null;
    if (inner.startsWith("/")) {
      const commit = await peelTo(repo, oid, "commit");
      if (!commit) return null;
      return inner === "/" ? commit : findByMessage(repo, inner.slice(1), commit);
    }
    if (inner === "object") return (await repo.odb.header(oid)) ? oid : null;
    if (!["commit", "tree", "blob", "tag"].includes(inner)) return null;
    const found = await peelTo(repo, oid, inner as ObjectType);
    if (found === null) await printOther(repo, oid, inner, name);
    return found;
  }
  const number = suffix.length === 1 ? 1 : Number(suffix.slice(1));
  if (number > MAX_STEPS) return null;
  let commit = await peelTo(repo, oid, "commit");
  if (!commit || number === 0) return commit;
  const reader = commitReader(repo);
  if (suffix.startsWith("^")) return (await reader.read(commit)).parents[number - 1] ?? null;
  for (let step = 0; step < number && commit; step++) {
    const { parents }: CommitNode = await reader.read(commit);
    reader.forget(commit);
    commit = parents[0] ?? null;
  }
  return commit;
}

async function printOther(repo: Repository, oid: Oid, wanted: string, name: string): Promise<void> {
  const end = await peelTags(repo, oid);
  if (!end) return;
  const type = end.type === "commit" ? "tree" : end.type;
  repo.warn?.(`${name}: expected ${wanted} type, but the object dereferences to ${type} type`, "error");
}

/** A name without suffixes. */
async function findName(repo: Repository, text: string, options: FindOptions): Promise<Oid | null> {
  const full = parseOid(text);
  if (full) return full;
  const byRef = await findByRef(repo, text, options);
  if (byRef) return byRef;
  const described = describedPrefix(text);
  if (described) {
    const oid = await findShortOid(repo, described, "committish", true);
    if (oid) return oid;
  }
  return findShortOid(repo, text, options.wanted, options.quiet);
}

async function findByRef(repo: Repository, text: string, { quiet }: FindOptions): Promise<Oid | null> {
  const log = /^(.*)@\{([^{}]*)\}$/s.exec(text);
  const isLog = log !== null && !/^(u|upstream|push)$/i.test(log[2] as string) && !/^-\d+$/.test(log[2] as string);
  const name = isLog ? (log[1] as string) : text;
  const when = isLog ? (log[2] as string) : null;
  if (name === "" && when === null) return null;
  if (when?.startsWith("-")) return null;
  const branch = name === "" ? "HEAD" : await interpretBranchName(repo, name);
  if (branch === null) return null;
  // `@{-1}` may name a commit that HEAD was detached at.
  if (name !== branch && parseOid(branch)) return when === null ? parseOid(branch) : null;
  if (!isRefName(branch, { oneLevel: true })) return null;
  if (when === null) {
    const ref = await expandRef(repo, branch);
    if (!ref) return null;
    await warnIfAmbiguous(repo, text, ref.count, quiet);
    return ref.oid;
  }
  // "@{1}" alone is the reflog of HEAD's branch.
  const current = name === "" ? await repo.refs.resolve("HEAD") : null;
  const ref = current?.oid ? { name: current.name, oid: current.oid, count: 1 } : await expandLog(repo, branch);
  if (!ref) return null;
  await warnIfAmbiguous(repo, name, ref.count, quiet);
  return reflogAt(repo, ref, when, name);
}

async function warnIfAmbiguous(repo: Repository, text: string, count: number, quiet = false): Promise<void> {
  if (quiet || !repo.warn || !warnsAmbiguous(repo)) return;
  if (count > 1 || (await findShortOid(repo, text, "any", true))) repo.warn(`refname '${text}' is ambiguous.`);
}
