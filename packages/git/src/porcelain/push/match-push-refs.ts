/** Expands the refspecs of a push into remote refs, with followed tags and pruned refs. */
import { adviceEnabled } from "../../config/advice.ts";
import { GitError } from "../../errors.ts";
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { isAncestor } from "../../revision/merge-base.ts";
import { peelTo } from "../../revision/peel.ts";
import type { RemoteRef } from "../../wire/advertisement.ts";
import { fillPattern, isExcluded, matchPattern, type Refspec, refnameMatch } from "../../wire/refspec.ts";
import type { PushOptions } from "./push.ts";

export interface PushUpdate {
  readonly source: string | null;
  readonly target: string;
  readonly to: Oid;
  readonly force: boolean;
}

/** Explicit names come first and take precedence; then patterns apply to the rest. */
export async function matchPushRefs(
  repo: Repository,
  { refspecs, force = false, followTags, prune }: Pick<PushOptions, "refspecs" | "force" | "followTags" | "prune">,
  theirs: ReadonlyMap<string, RemoteRef>,
): Promise<PushUpdate[]> {
  const ours = await repo.refs.list("refs/");
  const pushUpdates = new Map<string, PushUpdate>();
  const add = (pushUpdate: PushUpdate) =>
    pushUpdates.set(pushUpdate.target, { ...pushUpdate, force: pushUpdate.force || force });
  for (const refspec of refspecs) {
    if (refspec.pattern || refspec.matching || refspec.negative) continue;
    const wish = await spelledOut(repo, refspec, ours, theirs);
    if (pushUpdates.has(wish.target)) throw failed(`dst ref ${wish.target} receives from more than one src`);
    add(wish);
  }
  for (const { name, oid } of ours) {
    const to = byPattern(refspecs, name, theirs);
    if (to !== null && !pushUpdates.has(to.target)) add({ source: name, to: oid, ...to });
  }
  if (followTags) {
    for (const { name, oid } of ours) {
      if (!name.startsWith("refs/tags/") || theirs.has(name) || pushUpdates.has(name)) continue;
      if ((await repo.odb.header(oid))?.type !== "tag") continue;
      const peeled = await peelTo(repo, oid, "commit");
      if (peeled === null) continue;
      const reached = [...pushUpdates.values()].filter(({ to }) => to !== ZERO_OID);
      for (const { to } of reached)
        if (await isAncestor(repo, peeled, to))
          pushUpdates.set(name, { source: name, target: name, to: oid, force: false });
    }
  }
  if (prune) {
    const retained = new Set(ours.map(({ name }) => name));
    for (const name of theirs.keys()) {
      const source = pushUpdates.has(name) ? null : sourceByPattern(refspecs, name);
      if (source === null || retained.has(source)) continue;
      pushUpdates.set(name, { source: null, target: name, to: ZERO_OID, force: true });
    }
  }
  // Refs that the remote has come first, in its order; then new ones, in ours.
  const order = new Map([...theirs.keys()].map((name, at) => [name, at]));
  const position = ({ target }: PushUpdate) => order.get(target) ?? order.size;
  return [...pushUpdates.values()].sort((a, b) => position(a) - position(b));
}

type OurRefs = Awaited<ReturnType<Repository["refs"]["list"]>>;

function byPattern(
  refspecs: readonly Refspec[],
  name: string,
  theirs: ReadonlyMap<string, RemoteRef>,
): { target: string; force: boolean } | null {
  if (isOmitted(refspecs, name)) return null;
  for (const { source, target, force, pattern, matching, negative } of refspecs) {
    if (negative) continue;
    if (matching && name.startsWith("refs/heads/")) return theirs.has(name) ? { target: name, force } : null;
    const part = pattern ? matchPattern(source, name) : null;
    if (part !== null) return { target: fillPattern(target ?? source, part), force };
  }
  return null;
}

/** Matches negative refspecs backwards, from a target to its source, as git does. */
function isOmitted(refspecs: readonly Refspec[], name: string): boolean {
  return refspecs.some(({ source, target, pattern, matching, negative }) => {
    if (negative) return false;
    const part = pattern ? matchPattern(target ?? source, name) : matching || source === name ? "" : null;
    return part !== null && isExcluded(refspecs, pattern ? fillPattern(source, part) : name);
  });
}

/** The local ref that would be pushed to this remote ref. */
function sourceByPattern(refspecs: readonly Refspec[], name: string): string | null {
  // A negative refspec protects refs on the remote.
  if (isExcluded(refspecs, name)) return null;
  for (const { source, target, pattern, matching, negative } of refspecs) {
    if (negative) continue;
    if (matching && name.startsWith("refs/heads/")) return name;
    const part = pattern ? matchPattern(target ?? source, name) : null;
    if (part !== null) return fillPattern(source, part);
  }
  return null;
}

async function spelledOut(
  repo: Repository,
  refspec: Refspec,
  ours: OurRefs,
  theirs: ReadonlyMap<string, RemoteRef>,
): Promise<PushUpdate> {
  const { source, target, force } = refspec;
  if (source === "") {
    const name = target as string;
    const found = onlyMatch("dst", name, theirs.keys()) ?? (name.startsWith("refs/") ? name : null);
    if (found === null) throw failed(`unable to delete '${name}': remote ref does not exist`);
    return { source: null, target: found, to: ZERO_OID, force: true };
  }
  const ourRef = onlyMatch(
    "src",
    source,
    ours.map(({ name }) => name),
  );
  const found =
    ourRef === null ? (await findRevision(repo, source, {}))?.oid : ours.find(({ name }) => name === ourRef)?.oid;
  if (found === undefined) throw failed(`src refspec ${source} does not match any`);
  const head = source === "HEAD" ? await repo.refs.read("HEAD") : null;
  const named = head === null ? ourRef : head.kind === "symbolic" ? head.target : "HEAD";
  const full = wholeTarget(target ?? named ?? source, theirs, named);
  if (full === null) {
    const advised = adviceEnabled(repo.config, "pushUnqualifiedRefName");
    throw unqualified(refspec, named ?? source, advised ? (await repo.odb.header(found))?.type : undefined);
  }
  return { source: head === null ? (named ?? source) : "HEAD", target: full, to: found, force };
}

function onlyMatch(side: "src" | "dst", short: string, names: Iterable<string>): string | null {
  const [found = null, ...others] = matchesOf(short, names);
  if (others.length > 0) throw failed(`${side} refspec ${short} matches more than one`);
  return found;
}

/** The full names that a short name may stand for; branches, tags and names given from "refs/" on take precedence. */
export function matchesOf(short: string, names: Iterable<string>): string[] {
  const matches = [...names].filter((name) => refnameMatch(short, name));
  const isStrong = (name: string) => name === short || name === `refs/${short}` || /^refs\/(?:heads|tags)\//.test(name);
  const strong = matches.filter(isStrong);
  return strong.length > 0 ? strong : matches;
}

/** Completes a short remote name: the remote's match, else the kind of our ref. */
function wholeTarget(target: string, theirs: ReadonlyMap<string, RemoteRef>, named: string | null): string | null {
  const there = onlyMatch("dst", target, theirs.keys());
  if (there !== null) return there;
  if (target.startsWith("refs/")) return target;
  if (named?.startsWith("refs/heads/")) return `refs/heads/${target}`;
  if (named?.startsWith("refs/tags/")) return `refs/tags/${target}`;
  return null;
}

function failed(message: string): GitError {
  return new GitError("ENOTFOUND", message, { prefix: "error", exitCode: 1 });
}

function unqualified({ target, source }: Refspec, named: string, type: string | undefined): GitError {
  const make = type === "commit" ? "create a new branch" : type === "tag" ? "create a new tag" : `tag a new ${type}`;
  const advice =
    type === undefined
      ? ""
      : `\nhint: The <src> part of the refspec is a ${type} object.\nhint: Did you mean to ${make} by pushing to\nhint: '${named}:refs/${type === "commit" ? "heads" : "tags"}/${target ?? source}'?`;
  return failed(
    `The destination you provided is not a full refname (i.e.,\nstarting with "refs/"). We tried to guess what you meant by:\n\n- Looking for a ref that matches '${target ?? source}' on the remote side.\n- Checking if the <src> being pushed ('${named}')\n  is a ref in "refs/{heads,tags}/". If so we add a corresponding\n  refs/{heads,tags}/ prefix on the remote side.\n\nNeither worked, so we gave up. You must fully qualify the ref.${advice}`,
  );
}
