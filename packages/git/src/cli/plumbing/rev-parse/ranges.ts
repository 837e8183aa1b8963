/** `a..b`, `a...b`, `a^@`, `a^!`, `a^-` as `rev-parse` prints them. */
import type { Repository } from "../../../repository.ts";
import { parseCommitNode } from "../../../revision/commit-node.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { mergeBases } from "../../../revision/merge-base.ts";
import { peelTo } from "../../../revision/peel.ts";
import type { RevParseOutput } from "./output.ts";

export async function showRange(repo: Repository, output: RevParseOutput, word: string): Promise<boolean> {
  const dots = word.indexOf("..");
  if (dots < 0 || word === "..") return false;
  const symmetric = word[dots + 2] === ".";
  const from = word.slice(0, dots) || "HEAD";
  const to = word.slice(dots + (symmetric ? 3 : 2)) || "HEAD";
  const start = await findRevision(repo, from, { wanted: "committish" });
  const end = start && (await findRevision(repo, to, { wanted: "committish" }));
  if (!start || !end) return false;
  await output.revision(false, end.oid, to);
  await output.revision(!symmetric, start.oid, from);
  if (!symmetric) return true;
  const [a, b] = [await peelTo(repo, start.oid, "commit"), await peelTo(repo, end.oid, "commit")];
  if (!a || !b) return false;
  for (const base of await mergeBases(repo, a, [b])) await output.revision(true, base, null);
  return true;
}

export async function showParents(repo: Repository, output: RevParseOutput, word: string): Promise<boolean> {
  const [, name, kind, digits] = /^(.+?)\^(@|!|-(\d*))$/s.exec(word) ?? [];
  if (name === undefined || kind === undefined) return false;
  const number = kind.startsWith("-") ? Number(digits || 1) : null;
  const found = await findRevision(repo, name, { wanted: "committish" });
  const commit = found && (await peelTo(repo, found.oid, "commit"));
  if (!found || !commit) return false;
  const { parents } = parseCommitNode(commit, (await repo.odb.need(commit, "commit")).body);
  if (number !== null && (number < 1 || number > parents.length)) return false;
  if (kind !== "@") await output.revision(false, found.oid, name);
  for (const [i, parent] of parents.entries()) {
    if (number !== null && i + 1 !== number) continue;
    await output.revision(kind !== "@", parent, output.symbolic === "no" ? null : `${name}^${i + 1}`);
  }
  return true;
}
