/** `git name-rev`: names commits relative to the nearest ref above them: "tags/v1~3^2". */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { parseTag } from "../../object/tag.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { peelTags } from "../../revision/peel.ts";
import { shortenRef } from "../../revision/shorten-ref.ts";
import { wildmatch } from "../../text/wildmatch.ts";

export interface NameCommitsOptions {
  readonly tagsOnly?: boolean;
  readonly nameOnly?: boolean;
  readonly refs?: readonly string[];
  readonly exclude?: readonly string[];
  /** Time of the oldest commit to name: older ones are not visited. */
  readonly oldest?: number;
  /** `--peel-tag`: a tag's own name for its commit, without "^0". */
  readonly peelTag?: boolean;
}

interface CommitName {
  readonly tip: string;
  readonly seconds: number;
  readonly generation: number;
  readonly distance: number;
  readonly fromTag: boolean;
}

/** A step to a second parent counts as this many first-parent steps. */
const MERGE_DISTANCE = 65_535;
const SLOP = 86_400;

/** Names all commits that a ref reaches; the returned function looks one up. */
export async function nameCommits(
  repo: Repository,
  options: NameCommitsOptions = {},
): Promise<(oid: Oid) => string | null> {
  const reader = commitReader(repo);
  const names = new Map<Oid, CommitName>();
  const cutoff = options.oldest === undefined ? Number.NEGATIVE_INFINITY : options.oldest - SLOP;
  const improve = (oid: Oid, next: CommitName): boolean => {
    const before = names.get(oid);
    if (before && !isBetter(before, next)) return false;
    names.set(oid, next);
    return true;
  };
  const exact = new Map<Oid, string>();
  for (const { oid, commit, displayed, seconds, fromTag, dereferenced } of await tipsOf(repo, options)) {
    exact.set(oid, displayed);
    if (!commit) continue;
    const { seconds: age } = await reader.read(commit);
    if (age < cutoff) continue;
    const tip = dereferenced ? `${displayed}^0` : displayed;
    if (!improve(commit, { tip, seconds, generation: 0, distance: 0, fromTag })) continue;
    const pending = [commit];
    for (let oid = pending.pop(); oid; oid = pending.pop()) {
      const name = names.get(oid) as CommitName;
      const { parents } = await reader.read(oid);
      const next: Oid[] = [];
      for (const [i, parent] of parents.entries()) {
        if ((await reader.read(parent)).seconds < cutoff) continue;
        const first = i === 0;
        const improved = improve(parent, {
          tip: first ? name.tip : parentName(name, i + 1),
          seconds,
          generation: first ? name.generation + 1 : 0,
          distance: name.distance + (first ? 1 : MERGE_DISTANCE),
          fromTag,
        });
        if (improved) next.push(parent);
      }
      pending.push(...next.reverse());
    }
  }
  return (oid) => {
    const name = names.get(oid);
    if (!name) return exact.get(oid) ?? null;
    return name.generation === 0 ? name.tip : `${withoutZero(name.tip)}~${name.generation}`;
  };
}

function withoutZero(tip: string): string {
  return tip.endsWith("^0") ? tip.slice(0, -2) : tip;
}

function parentName({ tip, generation }: CommitName, number: number): string {
  return generation > 0 ? `${withoutZero(tip)}~${generation}^${number}` : `${withoutZero(tip)}^${number}`;
}

function isBetter(before: CommitName, next: CommitName): boolean {
  const reach = ({ distance, generation }: CommitName) => distance + (generation > 0 ? MERGE_DISTANCE : 0);
  const [old, fresh] = [reach(before), reach(next)];
  if (before.fromTag && next.fromTag) return old > fresh;
  if (before.fromTag !== next.fromTag) return next.fromTag;
  if (old !== fresh) return old > fresh;
  return before.seconds > next.seconds;
}

async function tipsOf(repo: Repository, options: NameCommitsOptions) {
  const { refs = [], exclude = [], tagsOnly = false, nameOnly = false } = options;
  const tips: {
    oid: Oid;
    commit: Oid | null;
    displayed: string;
    seconds: number;
    fromTag: boolean;
    dereferenced: boolean;
  }[] = [];
  for (const { name, oid } of await repo.refs.list()) {
    const fromTag = name.startsWith("refs/tags/");
    if (tagsOnly && !fromTag) continue;
    if (exclude.some((pattern) => subpathMatches(name, pattern) >= 0)) continue;
    let shortens = tagsOnly && nameOnly;
    if (refs.length > 0) {
      const matches = refs.map((pattern) => subpathMatches(name, pattern)).filter((at) => at >= 0);
      if (matches.length === 0) continue;
      if (matches.some((at) => at > 0)) shortens = true;
    }
    const end = await peelTags(repo, oid);
    const object = await repo.odb.need(oid);
    const tag = object.type === "tag" ? parseTag(object.body) : null;
    const commit = end?.type === "commit" ? end.oid : null;
    const age = commit === null ? 0 : (await commitReader(repo).read(commit)).seconds;
    const displayed = shortens
      ? await shortenRef(repo, name, false)
      : name.startsWith("refs/heads/")
        ? name.slice("refs/heads/".length)
        : name.slice("refs/".length);
    const dereferenced = tag !== null && !options.peelTag;
    tips.push({ oid, commit, displayed, seconds: tag?.tagger?.seconds ?? age, fromTag, dereferenced });
  }
  return tips.sort((a, b) => Number(b.fromTag) - Number(a.fromTag) || a.seconds - b.seconds);
}

/** Offset where the pattern matches the name's tail; -1: no match. */
function subpathMatches(name: string, pattern: string): number {
  for (let at = 0; at >= 0; ) {
    if (wildmatch(pattern, name.slice(at))) return at;
    const slash = name.indexOf("/", at);
    at = slash < 0 ? -1 : slash + 1;
  }
  return -1;
}

export function cannotDescribe(oid: Oid): GitError {
  return new GitError("ENOTFOUND", `cannot describe '${oid}'`);
}
