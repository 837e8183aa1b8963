/** Updates the local refs after a fetch. It checks each ref on its own, and reports a ref that may not move as rejected. */
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { isAncestor } from "../../revision/merge-base.ts";
import type { RefMapping } from "../../wire/fetch-map.ts";

import type { FetchOptions, FetchUpdate, UpdateKind } from "./fetch.ts";

export async function updateFetchedRefs(
  repo: Repository,
  refs: readonly RefMapping[],
  options: FetchOptions,
): Promise<FetchUpdate[]> {
  const updates: FetchUpdate[] = [];
  // Refs to merge come first, as in FETCH_HEAD.
  for (const ref of [...refs.filter(({ merge }) => merge), ...refs.filter(({ merge }) => !merge)]) {
    if (ref.target === null)
      updates.push({ kind: "fetched", source: ref.source, target: null, from: ZERO_OID, to: ref.oid });
    else updates.push(await judge(repo, ref as RefMapping & { target: string }, options));
  }
  const moved = updates.filter(({ kind }) => ["new", "fast-forward", "forced", "tag"].includes(kind));
  if (options.dryRun || (options.atomic && updates.some(({ kind }) => kind === "rejected"))) return updates;
  const who = reflogIdentity(repo);
  const action = repo.env.GIT_REFLOG_ACTION ?? ["fetch", ...(options.words ?? [])].join(" ");
  const names = moved.map(({ target, to, from, kind, source }) => ({
    name: target as string,
    to,
    from: from === ZERO_OID ? null : from,
    message: `${action}: ${reflogWord(kind, source)}`,
  }));
  await repo.refs.update(names, who);
  return updates;
}

function reflogWord(kind: UpdateKind, source: string | null): string {
  if (kind === "fast-forward") return "fast-forward";
  if (kind === "forced") return "forced-update";
  if (kind === "tag") return "updating tag";
  if (source?.startsWith("refs/tags/")) return "storing tag";
  return source?.startsWith("refs/heads/") ? "storing head" : "storing ref";
}

async function judge(
  repo: Repository,
  ref: RefMapping & { target: string },
  { force = false }: FetchOptions,
): Promise<FetchUpdate> {
  const { source, target, oid } = ref;
  const from = (await repo.refs.resolve(target))?.oid ?? ZERO_OID;
  const reported = (kind: UpdateKind, reason?: string): FetchUpdate => ({
    kind,
    source,
    target,
    from,
    to: oid,
    ...(reason ? { reason } : {}),
  });
  if (from === oid) return reported("same");
  if (from === ZERO_OID) return reported("new");
  const forced = ref.force || force;
  if (target.startsWith("refs/tags/"))
    return forced ? reported("tag") : reported("rejected", "would clobber existing tag");
  const isCommit = async (one: Oid) => (await repo.odb.header(one))?.type === "commit";
  if (!(await isCommit(from)) || !(await isCommit(oid))) return reported(forced ? "forced" : "fast-forward");
  if (await isAncestor(repo, from, oid)) return reported("fast-forward");
  return forced ? reported("forced") : reported("rejected", "non-fast-forward");
}
