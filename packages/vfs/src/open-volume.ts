/**
 * One volume per database. The same storage gives the same volume, and so does a Proxy of it, of its `sql`, or a wrapper that
 * returns the same `sql`. Storages that only their connection identifies are detected when a volume opens: of two volumes over one
 * connection at most one has anything in memory, and it is not taken from one with work in progress.
 */
import { FsError } from "./api/errors.ts";
import type { Limits, Retention } from "./api/limits.ts";
import { PastViews } from "./history/past/past-views.ts";
import { reclaimSpace } from "./maintenance/reclaim-space.ts";
import { IgnoreRulesCache } from "./match/ignore-files.ts";
import { RestrictedViews } from "./policy/restricted-view.ts";
import { Search } from "./search/search.ts";
import type { VolumeServices, VolumeStore } from "./volume/views.ts";
import { LiveVolume, type VolumeOptions } from "./volume/volume.ts";

/** Readable through a Proxy, too. A number, because a Proxy may wrap every object that it returns. */
const MARK = Symbol("workspace volume");
type Marked = { [MARK]?: unknown };

let created = 0;
const volumes = new Map<number, WeakRef<LiveVolume>>();

export function openVolume(storage: DurableObjectStorage, options: VolumeOptions = {}): VolumeStore {
  const known = volumes.get(markOf(storage) ?? markOf(storage.sql) ?? 0)?.deref();
  if (known === undefined) return makeVolume(storage, options);
  refuseOtherOptions(known, options);
  known.db.shadow(storage);
  mark(storage, markOf(storage.sql) ?? markOf(storage));
  return known;
}

function makeVolume(storage: DurableObjectStorage, options: VolumeOptions): LiveVolume {
  const volume = new LiveVolume(storage, options, { claim, reclaimSpace, makeServices });
  const number = ++created;
  volumes.set(number, new WeakRef(volume));
  mark(storage, number);
  mark(storage.sql, number);
  return volume;
}

function markOf(object: object): number | undefined {
  const number = (object as Marked)[MARK];
  return typeof number === "number" ? number : undefined;
}

function mark(object: object, number: number | undefined): void {
  Object.defineProperty(object, MARK, { value: number, configurable: true, writable: true });
}

function makeServices(volume: LiveVolume): VolumeServices {
  return {
    search: new Search(volume),
    pastViews: new PastViews(volume),
    restrictedViews: new RestrictedViews(volume),
    ignoreRules: new IgnoreRulesCache(),
  };
}

/** Takes the database over from another volume that is open on the same connection. */
function claim(volume: LiveVolume): void {
  for (const [number, reference] of volumes) {
    const other = reference.deref();
    if (other === undefined) volumes.delete(number);
    else if (
      other !== volume &&
      other.isOpen &&
      other.lastWriter === volume.lastWriter &&
      volume.store.db.isSame(other.db)
    ) {
      if (other.isBusy)
        throw new FsError("EBUSY", {
          syscall: "open",
          path: "/",
          reason:
            "another Workspace has this database open through another storage object, with files, streams or a transaction under way: pass the same `ctx.storage` to both",
        });
      other.release();
    }
  }
}

/** A second opening cannot change the settings of the first; one that tries is reported as a mistake. */
function refuseOtherOptions(volume: VolumeStore, { root, now, limits = {}, retention = {} }: VolumeOptions): void {
  const differs =
    (root !== undefined && root !== volume.root) ||
    (now !== undefined && now !== volume.now) ||
    Object.entries(limits).some(([name, value]) => volume.limits[name as keyof Limits] !== value) ||
    Object.entries(retention).some(([name, value]) => volume.retention[name as keyof Retention] !== value);
  if (differs)
    throw new FsError("EINVAL", {
      syscall: "open",
      path: "/",
      reason: "this storage already has a workspace with other options",
    });
}
