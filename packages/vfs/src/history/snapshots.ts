/** `workspace.snapshots`: a row that names a revision. Creating one copies nothing; restoring one reverts later changes. */

import { FsError } from "../api/errors.ts";
import type { RestoreOptions, Snapshot, Snapshots } from "../api/history.ts";
import { historyLimits } from "../api/limits.ts";
import { optionsOf } from "../api/options.ts";
import type { Identity } from "../mutation/mutation.ts";
import { refused, requireUnrestricted } from "../policy/require-change.ts";
import {
  deleteSnapshot,
  insertSnapshot,
  type SnapshotRow,
  selectSnapshot,
  selectSnapshots,
} from "../store/snapshots.ts";
import { type FsContext, retryStale } from "../volume/context.ts";
import type { ReadView, WriteView } from "../volume/views.ts";
import type { HistoryContext } from "./history-context.ts";
import { firstRevision } from "./past/point-in-time.ts";
import { restore } from "./revert/restore.ts";
import type { StorePolicy } from "./revert/store-policy.ts";

export function createSnapshots(volume: WriteView, identity: Identity = {}, stores?: StorePolicy): Snapshots {
  const ctx: HistoryContext = { volume, identity, stores };
  return {
    create: async (name, options) => {
      if (volume.rules?.limitsWrites) throw refused("NOT_WRITABLE", { syscall: "snapshot" });
      return takeSnapshot(ctx, name, optionsOf("snapshots.create", options));
    },
    list: async () => selectSnapshots(volume.ensureOpen().store.db).map((row) => toSnapshot(volume, row)),
    get: async (id) => toSnapshot(volume, existing(volume, id)),
    remove: async (id, ...options: unknown[]) => {
      optionsOf("snapshots.remove", options[0]);
      requireUnrestricted(volume, "snapshot");
      if (!deleteSnapshot(volume.ensureOpen().store.db, requireString(id, "id"))) throw missing(id);
      volume.store.snapshotsChanged();
    },
    restore: async (moment, options) => {
      const known = optionsOf<RestoreOptions>("snapshots.restore", options);
      return retryStale(volume, () => restore(ctx, moment, known));
    },
  };
}

function takeSnapshot({ volume, identity }: FsContext, name = "", { pinned = true }: { pinned?: boolean }): Snapshot {
  const rev = Math.max(volume.ensureOpen().revisions.head, firstRevision(volume));
  if (requireString(name, "name").length > historyLimits.snapshotName)
    throw invalid(`at most ${historyLimits.snapshotName} characters`);
  if (typeof pinned !== "boolean") throw invalid("pinned must be a boolean");
  const row = {
    id: `snap-${rev.toString(36)}-${randomText()}`,
    rev,
    name,
    time: volume.store.now(),
    pinned,
    actor: identity.actor ?? null,
    callId: identity.callId ?? null,
  };
  insertSnapshot(volume.store.db, row);
  volume.store.snapshotsChanged();
  return toSnapshot(volume, row);
}

function existing(volume: ReadView, id: string): SnapshotRow {
  const row = selectSnapshot(volume.ensureOpen().store.db, requireString(id, "id"));
  if (row === null) throw missing(id);
  return row;
}

function toSnapshot(volume: ReadView, { id, rev, name, time, pinned, actor, callId }: SnapshotRow): Snapshot {
  return {
    id,
    name,
    version: volume.revisions.format(rev),
    timeMs: time / 1000,
    pinned,
    ...(actor === null ? {} : { actor }),
    ...(callId === null ? {} : { callId }),
  };
}

/** Not a counter: an id must never be reused when a snapshot is removed, or a database restored to an earlier time. */
function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(5)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function requireString(value: unknown, what: string): string {
  if (typeof value !== "string") throw invalid(`${what} must be a string`);
  return value;
}

function invalid(reason: string): FsError {
  return new FsError("EINVAL", { syscall: "snapshot", reason });
}

function missing(id: string): FsError {
  return new FsError("ENOENT", { syscall: "snapshot", path: String(id), reason: "there is no such snapshot" });
}
