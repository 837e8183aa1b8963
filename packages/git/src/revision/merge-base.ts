/**
 * Best common ancestors. Both sides are painted downward by time; a commit with both colors is a candidate, and commits below
 * a candidate are stale. Candidates that another one reaches are dropped at the end.
 */
import type { Oid } from "../object/oid.ts";
import { type CommitReader, type CommitRepository, commitReader } from "./commit-node.ts";
import { DateQueue } from "./date-queue.ts";

const ONE = 1;
const TWO = 2;
const STALE = 4;
const RESULT = 8;

interface Painted {
  readonly oid: Oid;
  readonly seconds: number;
  readonly parents: readonly Oid[];
  flags: number;
}

/** All best ancestors of `one` and any of `others`, newest first. */
export async function mergeBases(repo: CommitRepository, one: Oid, others: readonly Oid[]): Promise<Oid[]> {
  const reader = commitReader(repo);
  if (others.includes(one)) return [one];
  return basesWith(reader, one, others);
}

async function basesWith(reader: CommitReader, one: Oid, others: readonly Oid[]): Promise<Oid[]> {
  const found = await paintDown(reader, one, others);
  const results = found.filter(({ flags }) => !(flags & STALE));
  if (results.length <= 1) return results.map(({ oid }) => oid);
  const retained = new Set(
    await removeRedundant(
      reader,
      results.map(({ oid }) => oid),
    ),
  );
  // Newest first, as git lists them; among equal times the one found last comes first.
  return results
    .map((commit, i) => ({ ...commit, i }))
    .filter(({ oid }) => retained.has(oid))
    .sort((a, b) => b.seconds - a.seconds || a.i - b.i)
    .map(({ oid }) => oid);
}

async function paintDown(reader: CommitReader, one: Oid, others: readonly Oid[]): Promise<Painted[]> {
  const known = new Map<Oid, Painted>();
  const queue = new DateQueue<Painted>();
  // How many in the queue are not stale: at zero nothing new can be found.
  let fresh = 0;
  const load = async (oid: Oid): Promise<Painted> => {
    const before = known.get(oid);
    if (before) return before;
    const { seconds, parents } = await reader.read(oid);
    const painted = { oid, seconds, parents, flags: 0 };
    known.set(oid, painted);
    return painted;
  };
  const inQueue = new Map<Painted, number>();
  const paint = (commit: Painted, flags: number) => {
    const wasFresh = (inQueue.get(commit) ?? 0) > 0 && !(commit.flags & STALE);
    commit.flags |= flags;
    inQueue.set(commit, (inQueue.get(commit) ?? 0) + 1);
    const isFresh = !(commit.flags & STALE);
    if (wasFresh && !isFresh) fresh -= (inQueue.get(commit) as number) - 1;
    if (isFresh) fresh++;
    queue.push(commit);
  };
  paint(await load(one), ONE);
  for (const other of others) paint(await load(other), TWO);
  const results: Painted[] = [];
  while (fresh > 0) {
    const commit = queue.pop() as Painted;
    inQueue.set(commit, (inQueue.get(commit) as number) - 1);
    if (!(commit.flags & STALE)) fresh--;
    let flags = commit.flags & (ONE | TWO | STALE);
    if (flags === (ONE | TWO)) {
      if (!(commit.flags & RESULT)) {
        commit.flags |= RESULT;
        results.push(commit);
      }
      flags |= STALE;
    }
    for (const oid of commit.parents) {
      const parent = await load(oid);
      if ((parent.flags & flags) === flags) continue;
      paint(parent, flags);
    }
  }
  return results;
}

/** Returns the commits that no other of them reaches, in the given order. */
export async function independentCommits(repo: CommitRepository, oids: readonly Oid[]): Promise<Oid[]> {
  return removeRedundant(commitReader(repo), [...new Set(oids)]);
}

async function removeRedundant(reader: CommitReader, oids: readonly Oid[]): Promise<Oid[]> {
  const redundant = new Set<Oid>();
  for (const oid of oids) {
    if (redundant.has(oid)) continue;
    const rest = oids.filter((other) => other !== oid && !redundant.has(other));
    if (rest.length === 0) break;
    const common = await paintDown(reader, oid, rest);
    const flags = new Map(common.map((commit) => [commit.oid, commit.flags]));
    // `oid` is below another one if it is itself the common ancestor.
    if (flags.has(oid)) redundant.add(oid);
    for (const other of rest) if (flags.has(other)) redundant.add(other);
  }
  return oids.filter((oid) => !redundant.has(oid));
}

/** Whether `descendant` contains `ancestor`. */
export async function isAncestor(repo: CommitRepository, ancestor: Oid, descendant: Oid): Promise<boolean> {
  return isAncestorWith(commitReader(repo), ancestor, descendant);
}

/** For many queries: commits are read once. By commit time, nothing older than the ancestor can lead to it. */
async function isAncestorWith(reader: CommitReader, ancestor: Oid, descendant: Oid): Promise<boolean> {
  if (ancestor === descendant) return true;
  const common = await paintDown(reader, ancestor, [descendant]);
  return common.some(({ oid }) => oid === ancestor);
}

/** The best ancestors common to all (for a merge of many heads). */
export async function octopusMergeBases(repo: CommitRepository, oids: readonly Oid[]): Promise<Oid[]> {
  const reader = commitReader(repo);
  let bases = oids.slice(0, 1) as Oid[];
  for (const oid of oids.slice(1)) {
    const next: Oid[] = [];
    for (const base of bases) {
      for (const found of base === oid ? [oid] : await basesWith(reader, base, [oid])) next.push(found);
    }
    bases = [...new Set(next)];
  }
  return bases.length > 1 ? removeRedundant(reader, bases) : bases;
}
