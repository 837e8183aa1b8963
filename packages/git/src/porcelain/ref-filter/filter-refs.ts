/** Selects the refs of a listing: by pattern, by target, by what they contain or what contains them. */
import type { Oid } from "../../object/oid.ts";
import type { Ref } from "../../refs/ref-store.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { peelTags, tagTarget } from "../../revision/peel.ts";
import { walk } from "../../revision/walk.ts";
import { wildmatch } from "../../text/wildmatch.ts";

export interface RefFilter {
  /** Only refs under this: "refs/heads/". Several for `branch -a`. */
  readonly prefixes?: readonly string[];
  readonly patterns?: readonly string[];
  /** "path": a directory, a full name or a glob of full names; "short": a glob on the name without refs/heads/ or the like. */
  readonly matching?: "path" | "short";
  readonly ignoreCase?: boolean;
  readonly pointsAt?: readonly Oid[];
  /** Commits; each of these filters omits refs that lead to no commit. */
  readonly contains?: readonly Oid[];
  readonly noContains?: readonly Oid[];
  readonly merged?: readonly Oid[];
  readonly noMerged?: readonly Oid[];
}

export async function filterRefs(repo: Repository, filter: RefFilter): Promise<Ref[]> {
  let refs: Ref[] = [];
  for (const prefix of filter.prefixes ?? ["refs/"]) refs.push(...(await repo.refs.list(prefix)));
  refs = refs.filter(({ name }) => matchesPatterns(name, filter));
  if (filter.pointsAt?.length) {
    const wanted = new Set(filter.pointsAt);
    refs = await keep(refs, async ({ oid }) => {
      if (wanted.has(oid)) return true;
      // Compares the direct target only, not the end of a chain of tags.
      if ((await repo.odb.header(oid))?.type !== "tag") return false;
      return wanted.has(tagTarget((await repo.odb.need(oid, "tag")).body));
    });
  }
  if (!filter.contains?.length && !filter.noContains?.length && !filter.merged?.length && !filter.noMerged?.length) {
    return refs;
  }
  const commits = new Map<string, Oid>();
  for (const { name, oid } of refs) {
    const end = await peelTags(repo, oid);
    if (end?.type === "commit") commits.set(name, end.oid);
  }
  refs = refs.filter(({ name }) => commits.has(name));
  const commitOf = ({ name }: Ref) => commits.get(name) as Oid;
  if (filter.contains?.length) {
    const containing = await containsAny(repo, [...commits.values()], filter.contains);
    refs = refs.filter((ref) => containing.has(commitOf(ref)));
  }
  if (filter.noContains?.length) {
    const containing = await containsAny(repo, [...commits.values()], filter.noContains);
    refs = refs.filter((ref) => !containing.has(commitOf(ref)));
  }
  if (filter.merged?.length) {
    const reached = await reachedFrom(repo, filter.merged, refs.map(commitOf));
    refs = refs.filter((ref) => reached.has(commitOf(ref)));
  }
  if (filter.noMerged?.length) {
    const reached = await reachedFrom(repo, filter.noMerged, refs.map(commitOf));
    refs = refs.filter((ref) => !reached.has(commitOf(ref)));
  }
  return refs;
}

async function keep<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const retained: T[] = [];
  for (const item of items) if (await test(item)) retained.push(item);
  return retained;
}

function matchesPatterns(name: string, { patterns = [], matching = "path", ignoreCase = false }: RefFilter): boolean {
  if (patterns.length === 0) return true;
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  if (matching === "short") {
    const short = name.replace(/^refs\/(tags|heads|remotes)\//, "").replace(/^refs\//, "");
    return patterns.some((pattern) => wildmatch(pattern, short, { ignoreCase }));
  }
  return patterns.some((pattern) => {
    const [wanted, whole] = [fold(pattern), fold(name)];
    if (whole === wanted || whole.startsWith(wanted.endsWith("/") ? wanted : `${wanted}/`)) return true;
    return wildmatch(pattern, name, { pathname: true, ignoreCase });
  });
}

/** The `tips` that reach one of `wanted`. Every commit is decided once. */
async function containsAny(repo: Repository, tips: readonly Oid[], wanted: readonly Oid[]): Promise<Set<Oid>> {
  const reader = commitReader(repo);
  const goals = new Set(wanted);
  let oldest = Number.POSITIVE_INFINITY;
  for (const oid of wanted) oldest = Math.min(oldest, (await reader.read(oid)).seconds);
  const answer = new Map<Oid, boolean>();
  for (const tip of tips) {
    const stack: { oid: Oid; next: number }[] = [{ oid: tip, next: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const { oid } = top;
      if (answer.has(oid)) {
        stack.pop();
        continue;
      }
      if (goals.has(oid)) {
        answer.set(oid, true);
        continue;
      }
      const { parents, seconds } = await reader.read(oid);
      // A commit is hardly ever older than its parents; allows one day of clock skew.
      if (seconds + 86_400 < oldest) {
        answer.set(oid, false);
        continue;
      }
      if (top.next > 0 && answer.get(parents[top.next - 1] as Oid)) {
        answer.set(oid, true);
        continue;
      }
      const parent = parents[top.next++];
      if (parent === undefined) answer.set(oid, false);
      else if (!answer.has(parent)) stack.push({ oid: parent, next: 0 });
    }
  }
  return new Set(tips.filter((tip) => answer.get(tip)));
}

/** The `candidates` reachable from one of `tips`. */
async function reachedFrom(repo: Repository, tips: readonly Oid[], candidates: readonly Oid[]): Promise<Set<Oid>> {
  const wanted = new Set(candidates);
  const reached = new Set<Oid>();
  if (wanted.size === 0) return reached;
  for await (const { oid } of walk(repo, { tips: tips.map((tip) => ({ oid: tip })) })) {
    if (wanted.has(oid)) reached.add(oid);
    if (reached.size === wanted.size) break;
  }
  return reached;
}
