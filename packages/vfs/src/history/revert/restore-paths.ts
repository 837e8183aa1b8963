/**
 * Restores what is at and under some paths, and nothing else. Descends both trees at once where something has changed. A removed
 * inode gets its name back. One that is elsewhere now stays there, and a copy with the same content takes its old place.
 */
import { FsError } from "../../api/errors.ts";
import type { Conflict, Kept, RevertedChange } from "../../api/history.ts";
import { historyLimits } from "../../api/limits.ts";
import { assertNotRoot } from "../../mutation/check-removal.ts";
import type { Dentry } from "../../mutation/dentry.ts";
import { makeDirectories } from "../../mutation/make-directories.ts";
import type { Mutation } from "../../mutation/mutation.ts";
import { selectInode } from "../../store/inodes.ts";
import { countSubdirectories } from "../../store/names.ts";
import { type Inode, isDirectory, isFile, PURGED, S_IFDIR, UMASK } from "../../tree/inode.ts";
import { joinPath, parsePath } from "../../tree/path.ts";
import { type Resolved, resolve } from "../../tree/resolve.ts";
import { tryLstat } from "../../tree/try-resolve.ts";
import type { ReadView } from "../../volume/views.ts";
import { directoryEntries } from "../../walk/entries.ts";
import { touchedBetween } from "../log/compare-trees.ts";
import { bringBackStored } from "./bring-back-stored.ts";
import type { Store, StorePolicy } from "./store-policy.ts";
import { storeAround } from "./stores.ts";

export interface PathsRestored {
  readonly changes: RevertedChange[];
  readonly conflicts: Conflict[];
  readonly retained: Kept[];
}

/** `past`: the volume at that point in time. */
export function restorePaths(
  mutation: Mutation,
  past: ReadView,
  paths: readonly string[],
  policy?: StorePolicy,
): PathsRestored {
  return new PathRestorer(mutation, past, policy).restore(paths);
}

class PathRestorer {
  readonly #mutation: Mutation;
  readonly #past: ReadView;
  readonly #entered: ReadonlySet<number>;
  readonly #subjects: ReadonlySet<number>;
  readonly #changes: RevertedChange[] = [];
  readonly #conflicts: Conflict[] = [];
  readonly #policy: StorePolicy | undefined;
  /** The store that contains or adjoins the path, and the number of files left there. */
  #store: { readonly store: Store; files: number } | null = null;
  readonly #retained: Kept[] = [];

  constructor(mutation: Mutation, past: ReadView, policy: StorePolicy | undefined) {
    this.#policy = policy;
    this.#mutation = mutation;
    this.#past = past;
    const { volume } = mutation;
    const ends = touchedBetween({ volume: past, rev: past.revisions.head }, { volume, rev: volume.revisions.head });
    this.#entered = ends.entered;
    this.#subjects = ends.subjects;
  }

  restore(paths: readonly string[]): PathsRestored {
    for (const path of paths) {
      const store = this.#policy === undefined ? null : storeAround(this.#mutation, path, this.#policy);
      this.#store = store === null ? null : { store, files: 0 };
      this.#restorePath(path);
      if (store !== null && this.#policy !== undefined) this.#keepStore(store, this.#policy);
    }
    return { changes: this.#changes, conflicts: this.#conflicts, retained: this.#retained };
  }

  /** Only a part of what refers to the store was restored: it keeps its files, and regains those that it had. */
  #keepStore(store: Store, policy: StorePolicy): void {
    this.#changes.push(...bringBackStored(this.#mutation, store, this.#past.revisions.head, policy));
    const path = joinPath(store.path, policy.directory);
    const files = this.#store?.files ?? 0;
    if (files > 0) this.#retained.push({ path, files, reason: "what is not restored may refer to them" });
  }

  #isStored(path: string): boolean {
    if (this.#store === null || this.#policy === undefined) return false;
    const { path: owner } = this.#store.store;
    return path.startsWith(`${joinPath(owner, this.#policy.directory)}/`);
  }

  #restorePath(path: string): void {
    const then = tryLstat(this.#past.cache, path);
    const now = tryLstat(this.#mutation, path);
    if (then === null && now === null) {
      this.#conflicts.push({ path, reason: "it exists neither then nor now" });
      return;
    }
    const parsed = parsePath(path, "restore");
    if (parsed.parts.length === 0) {
      this.#same({ parent: then as Inode, name: "", path: "/" }, then as Inode, now as Inode);
      return;
    }
    const above = parsed.parts.slice(0, -1);
    if (now === null)
      makeDirectories(this.#mutation, parsePath(`/${above.join("/")}`, "restore"), S_IFDIR | (0o777 & ~UMASK));
    const slot = resolve(this.#mutation, parsed, "restore", "itself");
    this.#put(slot, then, now, slot);
  }

  #put(slot: Dentry, then: Inode | null, now: Inode | null, fixed?: Resolved): void {
    if (then !== null && now !== null && then.ino === now.ino) {
      this.#same(slot, then, now);
      return;
    }
    if (now !== null && this.#store !== null && this.#isStored(slot.path) && (then === null || isDirectory(now))) {
      if (!isDirectory(now)) this.#store.files++;
      return;
    }
    if (now !== null) {
      if (fixed !== undefined) assertNotRoot(this.#mutation.volume, fixed, "restore", slot.path);
      this.#mutation.remove(this.#fresh(slot), now);
      if (then === null) this.#did({ path: slot.path, action: "remove" });
    }
    if (then !== null) this.#place(slot, then);
  }

  /** The same inode at the same place: its contents may differ. */
  #same(slot: Dentry, then: Inode, now: Inode): void {
    if (isDirectory(then)) {
      if (this.#entered.has(then.ino)) this.#children(slot.path, then, now);
      this.#attributes(slot, then);
      return;
    }
    if (!this.#subjects.has(then.ino)) return;
    if (isFile(then) && (then.content !== now.content || then.size !== now.size)) {
      if (then.content === PURGED) return this.#lost(slot.path);
      const content = then.content === now.content ? now.content : this.#mutation.addReference(then.content);
      this.#mutation.replaceContent(this.#fresh(slot), now, { content, size: then.size }, then.mtime);
      this.#did({ path: slot.path, action: "write" });
    }
    this.#attributes(slot, then);
  }

  #children(path: string, then: Inode, now: Inode): void {
    const { volume } = this.#mutation;
    const names = new Map<string, [then: Inode | null, now: Inode | null]>();
    for (const [name, inode] of directoryEntries(this.#past, then.ino)) names.set(name, [inode, null]);
    for (const [name, inode] of directoryEntries(volume, now.ino))
      names.set(name, [names.get(name)?.[0] ?? null, inode]);
    for (const [name, [before, present]] of names) {
      const inode = present === null ? null : this.#mutation.inode(present.ino);
      this.#put({ parent: now, name, path: joinPath(path, name) }, before, inode);
    }
  }

  /** Fills a free name: with the inode itself when it has no name, with a copy when it has one elsewhere. */
  #place(slot: Dentry, then: Inode): void {
    const { db } = this.#mutation.volume.store;
    const present = this.#mutation.inodes.get(then.ino) ?? selectInode(db, then.ino);
    if (then.content === PURGED) return this.#lost(slot.path);
    if (present !== null && present.nlink === 0) {
      const inside = isDirectory(present) ? (countSubdirectories(db, [present.ino]).get(present.ino) ?? 0) : 0;
      const revived = this.#mutation.relink(this.#fresh(slot), present, inside);
      this.#did({ path: slot.path, action: "restore" });
      this.#same(slot, then, revived);
      return;
    }
    const { mode, size, target, mtime } = then;
    const content = isFile(then) ? { content: this.#mutation.addReference(then.content), size } : {};
    const created = this.#mutation.create(this.#fresh(slot), {
      mode,
      mtime,
      ...content,
      ...(target === null ? {} : { target, size }),
    });
    this.#did({ path: slot.path, action: "restore" });
    if (!isDirectory(then)) return;
    for (const [name, child] of directoryEntries(this.#past, then.ino))
      this.#place({ parent: created, name, path: joinPath(slot.path, name) }, child);
    this.#attributes(slot, { ...then, ino: created.ino });
  }

  #attributes(slot: Dentry, { ino, mode, mtime }: Inode): void {
    const now = this.#mutation.inode(ino);
    if (now === null || (now.mode === mode && now.mtime === mtime)) return;
    this.#mutation.setAttributes(this.#fresh(slot), now, { mode, mtime });
    if (now.mode !== mode || !isDirectory(now)) this.#did({ path: slot.path, action: "attributes" });
  }

  /** A directory changes with each name in it. */
  #fresh(slot: Dentry): Dentry {
    return { ...slot, parent: this.#mutation.inode(slot.parent.ino) ?? slot.parent };
  }

  #did(change: RevertedChange): void {
    const last = this.#changes.at(-1);
    // Bytes and attributes of one file are reported as one change.
    if (last?.path === change.path && change.action === "attributes") return;
    this.#changes.push(change);
    if (this.#changes.length > this.#mutation.volume.limits.bulkEntries)
      throw new FsError("EFBIG", { syscall: "restore", reason: "too many changes; restore fewer paths at a time" });
  }

  #lost(path: string): void {
    if (this.#conflicts.length < historyLimits.reportedChanges)
      this.#conflicts.push({ path, reason: "what it held then was purged" });
  }
}
