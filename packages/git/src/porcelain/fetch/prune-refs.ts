/** Prunes tracking refs that the remote no longer has, for `fetch --prune`. */
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import type { RemoteRef } from "../../wire/advertisement.ts";
import { fillPattern, isExcluded, matchPattern, type Refspec } from "../../wire/refspec.ts";
import type { RemoteConfig } from "../../wire/remote-config.ts";

import type { FetchUpdate } from "./fetch.ts";

/** Tracking refs whose source the remote no longer has. */
export async function staleRefs(
  repo: Repository,
  refspecs: readonly Refspec[],
  refs: readonly RemoteRef[],
): Promise<{ readonly name: string; readonly oid: Oid }[]> {
  const there = new Set(refs.map(({ name }) => name));
  const listed = await repo.refs.list("refs/");
  return listed.filter(({ name, target }) => {
    if (target !== undefined) return false;
    const sources = refspecs.flatMap((refspec) => {
      const part = refspec.target ? matchPattern(refspec.target, name) : null;
      return part === null ? [] : [fillPattern(refspec.source, part)];
    });
    return sources.length > 0 && !sources.some((source) => there.has(source) || isExcluded(refspecs, source));
  });
}

/** Symbolic refs that pointed to one of these. */
export async function danglingSymrefs(repo: Repository, gone: readonly string[]): Promise<string[]> {
  const dangling: string[] = [];
  for (const name of new Set(
    gone.map((one) => one.replace(/^(refs\/remotes\/[^/]+\/).*/, (_all, remote) => `${remote}HEAD`)),
  )) {
    const value = await repo.refs.read(name);
    if (value?.kind === "symbolic" && gone.includes(value.target)) dangling.push(name);
  }
  return dangling;
}

export async function pruneRefs(
  repo: Repository,
  {
    remote,
    input,
    refs,
    dryRun,
  }: { remote: RemoteConfig; input: readonly Refspec[]; refs: readonly RemoteRef[]; dryRun: boolean },
): Promise<FetchUpdate[]> {
  // Given refspecs decide what to prune; the configured ones apply only without any.
  const stale = (await staleRefs(repo, input.length > 0 ? input : remote.fetch, refs)).map(
    ({ name, oid }): FetchUpdate => ({ kind: "deleted", source: null, target: name, from: oid, to: ZERO_OID }),
  );
  const gone = stale.map(({ target }) => target as string);
  if (!dryRun && stale.length > 0) {
    await repo.refs.update(
      gone.map((name) => ({ name, to: null, noDeref: true })),
      reflogIdentity(repo),
    );
  }
  const dangling = await danglingSymrefs(repo, gone);
  return stale.map((update, at) => (at === stale.length - 1 && dangling.length > 0 ? { ...update, dangling } : update));
}
