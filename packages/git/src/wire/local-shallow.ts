/**
 * Computes the commits that a shallow fetch sends, and the new boundary. The client's own boundary counts: it has nothing behind
 * it, whatever it offers.
 */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { type CommitNode, commitReader, readShallow } from "../revision/commit-node.ts";
import { findRevision } from "../revision/find-revision.ts";
import { peelTo } from "../revision/peel.ts";
import type { FetchRequest, ShallowUpdate } from "./fetch-request.ts";

interface CutHistory {
  readonly boundary: ShallowUpdate;
  /** To be sent. */
  readonly commits: readonly CommitNode[];
  /** Trees of commits right below them that the client has. */
  readonly edge: readonly Oid[];
}

export async function cutHistory(
  there: Repository,
  request: FetchRequest,
  common: readonly Oid[],
): Promise<CutHistory> {
  const reader = commitReader(there);
  const read = (oid: Oid) => reader.read(oid);
  const ends = new Set(request.shallow);
  const had = await reach(read, await peelCommits(there, common), ({ oid }) => !ends.has(oid));
  const retained = await wantedCommits(there, read, request, had);
  const isCut = (node: CommitNode) => node.parents.some((parent) => !retained.has(parent));
  const deepens = request.deepen !== undefined;
  const ours = await readShallow(there);
  const ended = [...retained.values()].filter((node) => ours.has(node.oid) || (deepens && isCut(node)));
  const shallow = ended.map(({ oid }) => oid);
  const whole = (oid: Oid) => retained.has(oid) && !ours.has(oid) && !isCut(retained.get(oid) as CommitNode);
  const unshallow = deepens ? request.shallow.filter(whole) : [];
  const commits = [...retained.values()].filter(({ oid }) => !had.has(oid));
  const edge = commits.flatMap(({ parents }) => parents.flatMap((parent) => had.get(parent)?.tree ?? []));
  return { boundary: { shallow: shallow.filter((oid) => !ends.has(oid)), unshallow }, commits, edge };
}

/** This side's own shallow boundary, as far as the wanted commits reach it. */
export async function ownBoundary(there: Repository, { wants }: FetchRequest): Promise<ShallowUpdate> {
  const ends = await readShallow(there);
  if (ends.size === 0) return { shallow: [], unshallow: [] };
  const reader = commitReader(there);
  const reached = await reach(
    (oid) => reader.read(oid),
    await peelCommits(there, wants),
    () => true,
  );
  return { shallow: [...ends].filter((oid) => reached.has(oid)), unshallow: [] };
}

type ReadCommit = (oid: Oid) => Promise<CommitNode>;

async function peelCommits(there: Repository, oids: readonly Oid[]): Promise<Oid[]> {
  const commits: Oid[] = [];
  for (const oid of oids) {
    const commit = await peelTo(there, oid, "commit").catch(() => null);
    if (commit !== null) commits.push(commit);
  }
  return commits;
}

async function reach(read: ReadCommit, tips: readonly Oid[], goesOn: (node: CommitNode) => boolean) {
  const found = new Map<Oid, CommitNode>();
  const pending = [...tips];
  for (let oid = pending.pop(); oid !== undefined; oid = pending.pop()) {
    if (found.has(oid)) continue;
    const node = await read(oid);
    found.set(oid, node);
    if (goesOn(node)) pending.push(...node.parents);
  }
  return found;
}

/** Breadth first, so that each commit is visited at its minimum depth. */
async function wantedCommits(
  there: Repository,
  read: ReadCommit,
  { wants, shallow, deepen }: FetchRequest,
  had: ReadonlyMap<Oid, CommitNode>,
): Promise<Map<Oid, CommitNode>> {
  const tips = await peelCommits(there, wants);
  const { depth, relative, since, not = [] } = deepen ?? {};
  if (since !== undefined || not.length > 0) {
    const hidden = await reach(read, await named(there, not), () => true);
    const displayed = ({ oid, seconds }: CommitNode) => !hidden.has(oid) && seconds >= (since ?? 0);
    const found = await reach(read, tips, displayed);
    for (const [oid, node] of found) if (!displayed(node)) found.delete(oid);
    if (found.size === 0)
      throw new GitError("ENETWORK", "no commits selected for shallow requests", {
        hint: "fatal: the remote end hung up unexpectedly\n",
      });
    return found;
  }
  if (depth === undefined) return reach(read, tips, ({ oid }) => !had.has(oid));
  const retained = new Map<Oid, CommitNode>();
  let level = relative ? [...shallow] : tips;
  if (relative) {
    for (const [oid, node] of had) retained.set(oid, node);
    // New commits above the boundary are sent completely: only those behind it count.
    const above = await reach(read, tips, ({ oid }) => !had.has(oid) && !shallow.includes(oid));
    for (const [oid, node] of above) retained.set(oid, node);
  }
  for (let left = relative ? depth + 1 : depth; left > 0 && level.length > 0; left--) {
    const next: Oid[] = [];
    for (const oid of level) {
      const seen = retained.has(oid) && !(relative && shallow.includes(oid));
      if (seen) continue;
      const node = await read(oid);
      retained.set(oid, node);
      next.push(...node.parents);
    }
    level = next;
  }
  return retained;
}

async function named(there: Repository, names: readonly string[]): Promise<Oid[]> {
  const oids: Oid[] = [];
  for (const name of names) {
    const found = await findRevision(there, name, {});
    if (found === null) throw new GitError("ENETWORK", `remote error: git upload-pack: ambiguous deepen-not: ${name}`);
    oids.push(found.oid);
  }
  return peelCommits(there, oids);
}
