/** The flags by which `for-each-ref`, `branch` and `tag` select refs, and their meaning. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import type { RefFilter } from "../../porcelain/ref-filter/filter-refs.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import type { FlagTable, ParsedFlags } from "../framework/flag-table.ts";

/** The value defaults to HEAD; it may be the next argument. */
const commit = (long: string, help: string) =>
  ({ long, value: "list", arg: "<commit>", help, noNegation: true, lastDefault: "HEAD" }) as const;

export const refFilterFlags = {
  pointsAt: {
    long: "--points-at",
    value: "list",
    arg: "<object>",
    help: "print only refs which points at the given object",
  },
  merged: commit("--merged", "print only refs that are merged"),
  noMerged: commit("--no-merged", "print only refs that are not merged"),
  contains: commit("--contains", "print only refs which contain the commit"),
  noContains: commit("--no-contains", "print only refs which don't contain the commit"),
  ignoreCase: { long: "--ignore-case", help: "sorting and filtering are case insensitive" },
} as const satisfies FlagTable;

/** The list filters of `branch` and `tag`, which also accept the option names from before `--contains`. */
export const listFilterFlags = {
  ...refFilterFlags,
  with: { ...commit("--with", "print only refs which contain the commit"), hidden: true },
  without: { ...commit("--without", "print only refs which don't contain the commit"), hidden: true },
} as const satisfies FlagTable;

type RefFilterArgs = ParsedFlags<typeof listFilterFlags>["flags"];

export async function readRefFilter(
  repo: Repository,
  flags: RefFilterArgs,
): Promise<Pick<RefFilter, "pointsAt" | "contains" | "noContains" | "merged" | "noMerged" | "ignoreCase">> {
  const commits = async (names: readonly string[] = []): Promise<Oid[]> => {
    const oids: Oid[] = [];
    for (const name of names) oids.push(await requireCommit(repo, name));
    return oids;
  };
  const objects: Oid[] = [];
  for (const name of flags.pointsAt ?? []) {
    const found = await findRevision(repo, name);
    if (!found) throw new GitError("EUSAGE", `malformed object name '${name}'`);
    objects.push(found.oid);
  }
  return {
    pointsAt: objects,
    contains: await commits([...(flags.contains ?? []), ...(flags.with ?? [])]),
    noContains: await commits([...(flags.noContains ?? []), ...(flags.without ?? [])]),
    merged: await mergedWith(repo, flags.merged),
    noMerged: await mergedWith(repo, flags.noMerged),
    ignoreCase: flags.ignoreCase,
  };
}

async function requireCommit(repo: Repository, name: string): Promise<Oid> {
  const found = await findRevision(repo, name, { wanted: "committish" });
  if (!found) throw new GitError("EUSAGE", `malformed object name ${name}`);
  const commit = await peelTo(repo, found.oid, "commit");
  if (!commit) {
    await printType(repo, found.oid);
    throw new GitError("EUSAGE", `no such commit ${name}`);
  }
  return commit;
}

async function mergedWith(repo: Repository, names: readonly string[] = []): Promise<Oid[]> {
  const oids: Oid[] = [];
  for (const name of names) {
    const found = await findRevision(repo, name, { wanted: "committish" });
    if (!found) throw new GitError("ENOTFOUND", `malformed object name ${name}`);
    const commit = await peelTo(repo, found.oid, "commit");
    if (!commit) {
      await printType(repo, found.oid);
      throw new GitError("EUSAGE", "option `merged' must point to a commit");
    }
    oids.push(commit);
  }
  return oids;
}

async function printType(repo: Repository, oid: Oid): Promise<void> {
  const type = (await repo.odb.header(oid))?.type;
  repo.warn?.(`object ${oid} is a ${type}, not a commit`, "error");
}
