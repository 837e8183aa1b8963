/** What a push is to move: refspecs made into names on the other side, with the tags that follow and what is pruned. */
import { isAdvised } from "../../advice.ts";
import { GitError } from "../../errors.ts";
import { type Oid, ZERO_OID } from "../../oid.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { isAncestor } from "../../revision/merge-base.ts";
import { peelTo } from "../../revision/peel.ts";
import type { RemoteRef } from "../../wire/advertisement.ts";
import { fillPattern, matchPattern, type Refspec } from "../../wire/refspec.ts";
import type { PushOptions } from "../push.ts";

export interface Wish {
  readonly source: string | null;
  readonly target: string;
  readonly to: Oid;
  readonly force: boolean;
}

export async function collectWishes(
  repo: Repository,
  options: Pick<PushOptions, "refspecs" | "force" | "followTags" | "prune">,
  theirs: ReadonlyMap<string, RemoteRef>,
): Promise<Wish[]> {
  const ours = await repo.refs.list("refs/");
  const wishes = new Map<string, Wish>();
  for (const refspec of options.refspecs)
    for (const wish of await expand(repo, refspec, ours, theirs))
      wishes.set(wish.target, { ...wish, force: wish.force || (options.force ?? false) });
  if (options.followTags) {
    for (const { name, oid } of ours) {
      if (!name.startsWith("refs/tags/") || theirs.has(name) || wishes.has(name)) continue;
      if ((await repo.odb.header(oid))?.type !== "tag") continue;
      const peeled = await peelTo(repo, oid, "commit");
      if (peeled === null) continue;
      const reached = [...wishes.values()].filter(({ to }) => to !== ZERO_OID);
      for (const { to } of reached)
        if (await isAncestor(repo, peeled, to)) wishes.set(name, { source: name, target: name, to: oid, force: false });
    }
  }
  if (options.prune) {
    const patterns = options.refspecs.filter(({ pattern, target }) => pattern && target);
    const kept = new Set([...wishes.keys()]);
    for (const name of theirs.keys()) {
      if (kept.has(name) || !patterns.some(({ target }) => matchPattern(target as string, name) !== null)) continue;
      wishes.set(name, { source: null, target: name, to: ZERO_OID, force: true });
    }
  }
  // What the other side has comes first, in its order; then what is new, in ours.
  const order = new Map([...theirs.keys()].map((name, at) => [name, at]));
  const place = ({ target }: Wish) => order.get(target) ?? order.size;
  return [...wishes.values()].sort((a, b) => place(a) - place(b));
}

type OurRefs = Awaited<ReturnType<Repository["refs"]["list"]>>;

async function expand(
  repo: Repository,
  refspec: Refspec,
  ours: OurRefs,
  theirs: ReadonlyMap<string, RemoteRef>,
): Promise<Wish[]> {
  const { source, target, force, pattern, matching } = refspec;
  if (matching) {
    const heads = ours.filter(({ name }) => name.startsWith("refs/heads/") && theirs.has(name));
    return heads.map(({ name, oid }) => ({ source: name, target: name, to: oid, force }));
  }
  if (pattern) {
    return ours.flatMap(({ name, oid }) => {
      const part = matchPattern(source, name);
      return part === null ? [] : [{ source: name, target: fillPattern(target ?? source, part), to: oid, force }];
    });
  }
  if (source === "") {
    const found = matchRemote(theirs, target as string);
    if (found === null) throw failed(`unable to delete '${target}': remote ref does not exist`);
    return [{ source: null, target: found, to: ZERO_OID, force: true }];
  }
  const found = await findRevision(repo, source === "@" ? "HEAD" : source, {});
  if (found === null) throw failed(`src refspec ${source} does not match any`);
  const named = await ourName(repo, source, ours);
  const full = target === null ? wholeTarget(named ?? source, theirs, named) : wholeTarget(target, theirs, named);
  if (full === null) {
    const advised = isAdvised(repo.config, "pushUnqualifiedRefName");
    throw unqualified(refspec, named ?? source, advised ? (await repo.odb.header(found.oid))?.type : undefined);
  }
  const shown = source === "HEAD" || source === "@" ? "HEAD" : (named ?? source);
  return [{ source: shown, target: full, to: found.oid, force }];
}

async function ourName(repo: Repository, source: string, ours: OurRefs): Promise<string | null> {
  if (source === "HEAD" || source === "@") {
    const head = await repo.refs.read("HEAD");
    return head?.kind === "symbolic" ? head.target : "HEAD";
  }
  for (const prefix of ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"]) {
    if (ours.some(({ name }) => name === `${prefix}${source}`)) return `${prefix}${source}`;
  }
  return null;
}

function matchRemote(theirs: ReadonlyMap<string, RemoteRef>, name: string): string | null {
  for (const prefix of ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"])
    if (theirs.has(`${prefix}${name}`)) return `${prefix}${name}`;
  return null;
}

/** A short name on the other side: what it has by it, else what ours is. */
function wholeTarget(target: string, theirs: ReadonlyMap<string, RemoteRef>, named: string | null): string | null {
  const there = matchRemote(theirs, target);
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
      : `\nhint: The <src> part of the refspec is a ${type} object.\nhint: Did you mean to ${make} by pushing to\nhint: '${source}:refs/${type === "commit" ? "heads" : "tags"}/${target ?? source}'?`;
  return failed(
    `The destination you provided is not a full refname (i.e.,\nstarting with "refs/"). We tried to guess what you meant by:\n\n- Looking for a ref that matches '${target ?? source}' on the remote side.\n- Checking if the <src> being pushed ('${source || named}')\n  is a ref in "refs/{heads,tags}/". If so we add a corresponding\n  refs/{heads,tags}/ prefix on the remote side.\n\nNeither worked, so we gave up. You must fully qualify the ref.${advice}`,
  );
}
