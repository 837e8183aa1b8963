/** Updates our tracking refs immediately after a push. */

import { type Oid, ZERO_OID } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { mapName } from "../../wire/refspec.ts";
import type { RemoteConfig } from "../../wire/remote-config.ts";
import type { PushedRef } from "./push.ts";

export async function trackedValue(repo: Repository, remote: RemoteConfig, target: string): Promise<Oid> {
  const to = mapName(remote.fetch, target);
  return to === null ? ZERO_OID : ((await repo.refs.resolve(to.name))?.oid ?? ZERO_OID);
}

/** Updates our tracking refs immediately. */
export async function updateTrackingRefs(
  repo: Repository,
  remote: RemoteConfig,
  moved: readonly PushedRef[],
): Promise<Map<string, string>> {
  const tracked = new Map<string, string>();
  const who = reflogIdentity(repo);
  for (const { target, to, kind } of moved) {
    const local = mapName(remote.fetch, target);
    if (local === null) continue;
    tracked.set(target, local.name);
    // A ref that the remote already had may still be new for the tracking ref.
    if (kind === "same" && (await repo.refs.resolve(local.name))?.oid === to) continue;
    if (to !== ZERO_OID) await repo.refs.update([{ name: local.name, to, message: "update by push" }], who);
    else if ((await repo.refs.read(local.name)) !== null) await repo.refs.update([{ name: local.name, to: null }], who);
  }
  return tracked;
}
