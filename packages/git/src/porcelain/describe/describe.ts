/**
 * `git describe`: the nearest tag behind a commit, by the number of commits not in it. The walk goes by time; each tag it meets
 * marks what it contains. Among a limited number of candidates, the one with the fewest commits outside wins.
 */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { parseTag } from "../../object/tag.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { DateQueue } from "../../revision/date-queue.ts";
import { peelTags } from "../../revision/peel.ts";
import { wildmatch } from "../../text/wildmatch.ts";

export interface DescribeOptions {
  /** Also considers tags without a message. */
  readonly tags?: boolean;
  /** Considers any ref. */
  readonly all?: boolean;
  readonly long?: boolean;
  /** Digits; 0: prints only the tag's name. */
  readonly abbrev?: number;
  readonly match?: readonly string[];
  readonly exclude?: readonly string[];
  readonly firstParent?: boolean;
  /** Maximum number of candidate tags; 0: only a tag on the commit itself. */
  readonly candidates?: number;
  /** Falls back to an id without a tag. */
  readonly always?: boolean;
}

interface Name {
  readonly displayed: string;
  /** 2: annotated, 1: another tag, 0: another ref. */
  readonly rank: 0 | 1 | 2;
  readonly seconds: number;
}

export type DescribeNames = ReadonlyMap<Oid, Name>;

/** The names of commits; read once for many commits. */
export async function describeNames(repo: Repository, options: DescribeOptions): Promise<DescribeNames> {
  const names = new Map<Oid, Name>();
  for (const ref of await repo.refs.list()) {
    const isTag = ref.name.startsWith("refs/tags/");
    if (!options.all && !isTag) continue;
    const compared = isTag ? ref.name.slice(10) : /^refs\/(?:heads|remotes)\/(.*)$/s.exec(ref.name)?.[1];
    const { match = [], exclude = [] } = options;
    if (compared === undefined && (match.length > 0 || exclude.length > 0)) continue;
    if (exclude.some((pattern) => wildmatch(pattern, compared as string))) continue;
    if (match.length > 0 && !match.some((pattern) => wildmatch(pattern, compared as string))) continue;
    const object = await repo.odb.read(ref.oid);
    if (!object) continue;
    const annotation = object.type === "tag" ? parseTag(object.body) : null;
    const target = await peelToCommit(repo, ref.oid);
    if (!target) continue;
    const rank = annotation && isTag ? 2 : isTag ? 1 : 0;
    const plain = annotation && isTag ? annotation.tag : ref.name.slice(10);
    const displayed = options.all ? (annotation && isTag ? `tags/${annotation.tag}` : ref.name.slice(5)) : plain;
    const name: Name = { displayed, rank, seconds: annotation?.tagger?.seconds ?? 0 };
    const before = names.get(target);
    if (!before || before.rank < rank || (before.rank === 2 && rank === 2 && before.seconds < name.seconds)) {
      names.set(target, name);
    }
  }
  return names;
}

async function peelToCommit(repo: Repository, oid: Oid): Promise<Oid | null> {
  const end = await peelTags(repo, oid);
  return end?.type === "commit" ? end.oid : null;
}

interface DescribeCandidate {
  readonly name: Name;
  depth: number;
  readonly bit: bigint;
  readonly order: number;
}

export async function describe(
  repo: Repository,
  oid: Oid,
  options: DescribeOptions = {},
  input?: DescribeNames,
): Promise<string> {
  const names = input ?? (await describeNames(repo, options));
  const takes = (name: Name) => options.tags || options.all || name.rank === 2;
  const suffix = async (depth: number) => `-${depth}-g${await repo.odb.abbreviate(oid, options.abbrev)}`;
  const exact = names.get(oid);
  if (exact && takes(exact)) return options.long ? exact.displayed + (await suffix(0)) : exact.displayed;
  const max = options.candidates ?? 10;
  if (max <= 0) throw new GitError("ENOTFOUND", `no tag exactly matches '${oid}'`);
  const found = await findCandidates(repo, oid, names, takes, max, options.firstParent ?? false);
  const [best] = found.candidates;
  if (!best) {
    if (options.always) return repo.odb.abbreviate(oid, options.abbrev);
    const advice = found.unannotated
      ? `No annotated tags can describe '${oid}'.\nHowever, there were unannotated tags: try --tags.`
      : `No tags can describe '${oid}'.\nTry --always, or create some tags.`;
    throw new GitError("ENOTFOUND", advice);
  }
  return options.abbrev === 0 ? best.name.displayed : best.name.displayed + (await suffix(best.depth));
}

interface SeenCommit {
  readonly oid: Oid;
  readonly seconds: number;
  readonly parents: readonly Oid[];
  /** Bit set of the candidates that contain the commit. */
  within: bigint;
}

async function findCandidates(
  repo: Repository,
  start: Oid,
  names: DescribeNames,
  takes: (name: Name) => boolean | undefined,
  max: number,
  firstParent: boolean,
) {
  const reader = commitReader(repo);
  const known = new Map<Oid, SeenCommit>();
  const queue = new DateQueue<SeenCommit>();
  const candidates: DescribeCandidate[] = [];
  let unannotated = false;
  let annotated = 0;
  let count = 0;
  let gaveUp: SeenCommit | null = null;
  const enqueue = async (oid: Oid, within: bigint) => {
    let seen = known.get(oid);
    if (!seen) {
      const { seconds, parents } = await reader.read(oid);
      seen = { oid, seconds, parents, within: 0n };
      known.set(oid, seen);
      queue.push(seen);
    }
    seen.within |= within;
  };
  const enqueueParents = async ({ parents, within }: SeenCommit) => {
    for (const parent of firstParent ? parents.slice(0, 1) : parents) await enqueue(parent, within);
  };
  await enqueue(start, 0n);
  for (let seen = queue.pop(); seen; seen = queue.pop()) {
    count++;
    const name = names.get(seen.oid);
    if (name) {
      if (!takes(name)) unannotated = true;
      else if (candidates.length < max) {
        const order = candidates.length + 1;
        const candidate = { name, depth: count - 1, bit: 1n << BigInt(order), order };
        candidates.push(candidate);
        seen.within |= candidate.bit;
        if (name.rank === 2) annotated++;
      } else {
        gaveUp = seen;
        break;
      }
    }
    for (const candidate of candidates) if (!(seen.within & candidate.bit)) candidate.depth++;
    if (annotated > 0 && queue.size === 0) {
      const min = Math.min(...candidates.map(({ depth }) => depth));
      const bits = candidates.filter(({ depth }) => depth === min).reduce((all, { bit }) => all | bit, 0n);
      if ((seen.within & bits) === bits) break;
    }
    await enqueueParents(seen);
  }
  candidates.sort((a, b) => a.depth - b.depth || a.order - b.order);
  const [best] = candidates;
  if (best) {
    if (gaveUp) queue.push(gaveUp);
    await finishDepth(queue, best, enqueueParents);
  }
  return { candidates, unannotated };
}

/** Counts the remaining commits that are not in the best candidate. */
async function finishDepth(
  queue: DateQueue<SeenCommit>,
  best: DescribeCandidate,
  enqueueParents: (seen: SeenCommit) => Promise<void>,
) {
  for (let seen = queue.pop(); seen; seen = queue.pop()) {
    if (seen.within & best.bit) {
      let allWithin = true;
      for (const { within } of queue.items()) {
        if (within & best.bit) continue;
        allWithin = false;
        break;
      }
      if (allWithin) break;
    } else best.depth++;
    await enqueueParents(seen);
  }
}
