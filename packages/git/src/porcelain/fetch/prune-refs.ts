import { reflogIdentity } from "../../identity.ts";
import { ZERO_OID } from "../../oid.ts";
import type { Repository } from "../../repository.ts";
import type { RemoteRef } from "../../wire/advertisement.ts";
import { fillPattern, matchPattern, parseRefspec, type Refspec } from "../../wire/refspec.ts";
import type { RemoteConfig } from "../../wire/remote-config.ts";

import type { FetchUpdate } from "../fetch.ts";

export async function pruneRefs(
  repo: Repository,
  {
    remote,
    given,
    refs,
    dryRun,
    tags,
  }: { remote: RemoteConfig; given: readonly Refspec[]; refs: readonly RemoteRef[]; dryRun: boolean; tags: boolean },
): Promise<FetchUpdate[]> {
  const refspecs = [
    ...(given.some(({ target }) => target) ? given : remote.fetch),
    ...(tags ? [parseRefspec("refs/tags/*:refs/tags/*", "fetch")] : []),
  ];
  const there = new Set(refs.map(({ name }) => name));
  const stale: FetchUpdate[] = [];
  for (const { name, oid, target } of await repo.refs.list("refs/")) {
    if (target !== undefined) continue;
    const sources = refspecs.flatMap((refspec) => {
      const part = refspec.target ? matchPattern(refspec.target, name) : null;
      return part === null ? [] : [fillPattern(refspec.source, part)];
    });
    if (sources.length === 0 || sources.some((source) => there.has(source))) continue;
    stale.push({ kind: "deleted", source: null, target: name, from: oid, to: ZERO_OID });
  }
  if (!dryRun && stale.length > 0) {
    await repo.refs.update(
      stale.map(({ target }) => ({ name: target as string, to: null, noDeref: true })),
      reflogIdentity(repo),
    );
  }
  return stale;
}
