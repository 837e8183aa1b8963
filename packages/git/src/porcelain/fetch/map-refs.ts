import type { Repository } from "../../repository.ts";
import { upstreamOf } from "../../revision/branch-mark.ts";
import type { RemoteRef } from "../../wire/advertisement.ts";
import { type FetchedRef, mapRefspecs } from "../../wire/fetch-map.ts";
import { mapName, parseRefspec, type Refspec } from "../../wire/refspec.ts";
import type { RemoteConfig } from "../../wire/remote-config.ts";

interface MapContext {
  readonly remote: RemoteConfig;
  readonly given: readonly Refspec[];
  readonly refs: readonly RemoteRef[];
  readonly tags: "all" | "none" | "follow";
  readonly branch: string | null;
  /** Of a remote that is not configured: what the branch follows there. */
  readonly merged: readonly Refspec[];
}

/** `branch.<name>.merge` of a remote without refspecs: "." or an address. */
export function mergedFrom(repo: Repository, { name, url }: RemoteConfig, branch: string | null): Refspec[] {
  const upstream = branch === null ? null : upstreamOf(repo, branch);
  if (upstream === null || upstream.merge === null || upstream.remote !== (name ?? url)) return [];
  return [parseRefspec(upstream.merge, "fetch")];
}

export async function mapRefs(
  repo: Repository,
  { remote, given, refs, tags, branch, merged }: MapContext,
): Promise<FetchedRef[]> {
  const mapped: FetchedRef[] = [];
  if (given.length > 0) {
    mapped.push(
      ...mapRefspecs(given, refs, () => true).map((ref) => ({
        ...ref,
        merge: !given.some(({ pattern }) => pattern) || ref.target === null,
      })),
    );
    // What the configuration would have done with them is done too, and not written to FETCH_HEAD.
    for (const ref of [...mapped]) {
      const to = mapName(remote.fetch, ref.source);
      if (to !== null && !mapped.some(({ target }) => target === to.name))
        mapped.push({ ...ref, target: to.name, force: to.force, merge: false, opportunistic: true });
    }
  } else if (remote.fetch.length > 0) {
    const upstream = branch === null ? null : upstreamOf(repo, branch);
    const merges = (name: string) => upstream !== null && upstream.remote === remote.name && upstream.merge === name;
    mapped.push(...mapRefspecs(remote.fetch, refs, merges));
    if (
      !mapped.some(({ merge }) => merge) &&
      (upstream === null || upstream.merge === null) &&
      !remote.fetch[0]?.pattern &&
      mapped[0]
    )
      mapped[0] = { ...mapped[0], merge: true };
  } else mapped.push(...mapRefspecs(merged.length > 0 ? merged : [parseRefspec("HEAD", "fetch")], refs, () => true));
  if (tags === "all") {
    const known = new Set(mapped.map(({ target }) => target));
    mapped.push(
      ...mapRefspecs([parseRefspec("refs/tags/*:refs/tags/*", "fetch")], refs, () => false).filter(
        ({ target }) => !known.has(target),
      ),
    );
  }
  return mapped;
}
