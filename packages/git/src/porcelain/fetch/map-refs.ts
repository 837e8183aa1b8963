/** Maps the remote's refs to the refs that a fetch updates, by the named or the configured refspecs. */
import type { Repository } from "../../repository.ts";
import { branchUpstream } from "../../revision/branch-mark.ts";
import type { RemoteRef } from "../../wire/advertisement.ts";
import { mapRefspecs, type RefMapping } from "../../wire/fetch-map.ts";
import { findRemoteRef, mapName, parseRefspec, type Refspec, refnameMatch } from "../../wire/refspec.ts";
import type { RemoteConfig } from "../../wire/remote-config.ts";

interface MapContext {
  readonly remote: RemoteConfig;
  readonly input: readonly Refspec[];
  readonly refs: readonly RemoteRef[];
  readonly tags: "all" | "none" | "follow";
  readonly branch: string | null;
  /** The branch's upstream refs on the remote. */
  readonly merged: readonly Refspec[];
  readonly refmap?: readonly Refspec[] | undefined;
}

/** `branch.<name>.merge`, if the branch tracks this remote: by name, "." or an address. */
export function mergedFrom(repo: Repository, { name, url }: RemoteConfig, branch: string | null): Refspec[] {
  if (branch === null || branchUpstream(repo, branch).remote !== (name ?? url)) return [];
  return repo.config.getAll(`branch.${branch}.merge`).map((merge) => parseRefspec(merge, "fetch"));
}

export async function mapRefs(
  repo: Repository,
  { remote, input, refs, tags, branch, merged, refmap = remote.fetch }: MapContext,
): Promise<RefMapping[]> {
  const mapped: RefMapping[] = [];
  if (input.length > 0) {
    mapped.push(...mapRefspecs(input, refs, () => true));
    // Also applies the configured refspecs to them, without an entry in FETCH_HEAD.
    for (const ref of [...mapped]) {
      const to = mapName(refmap, ref.source);
      if (to !== null && !mapped.some(({ target }) => target === to.name))
        mapped.push({ ...ref, target: to.name, force: to.force, merge: false, opportunistic: true });
    }
  } else if (remote.fetch.length + merged.length > 0) {
    const wanted = merged.map(({ source }) => source);
    const merges = (name: string) => wanted.some((one) => refnameMatch(one, name));
    mapped.push(...mapRefspecs(remote.fetch, refs, merges));
    const follows = branch !== null && repo.config.get(`branch.${branch}.merge`) !== undefined;
    if (!follows && !remote.fetch[0]?.pattern && mapped[0]) mapped[0] = { ...mapped[0], merge: true };
    // Fetches the branch's upstream, whether or not the refspecs include it.
    const known = new Map(refs.map((ref) => [ref.name, ref]));
    for (const one of wanted) {
      const found = mapped.some(({ source }) => refnameMatch(one, source)) ? null : findRemoteRef(known, one);
      if (found?.oid) mapped.push({ source: found.name, oid: found.oid, target: null, force: false, merge: true });
    }
  } else mapped.push(...mapRefspecs([parseRefspec("HEAD", "fetch")], refs, () => true));
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
