/**
 * Applies a plan to a mutation, as the entries that a user's own verbs would have made. In order: renames what only moved, removes,
 * restores names with everything below them, then bytes and modes, and finally the times of directories. Everything was read for
 * the plan already, except where a second name of a file has to be found.
 */
import { FsError } from "../../api/errors.ts";
import type { RevertedChange } from "../../api/history.ts";
import type { Dentry } from "../../mutation/dentry.ts";
import type { Mutation } from "../../mutation/mutation.ts";
import { countSubdirectories, selectAllNames } from "../../store/names.ts";
import { type Inode, isDirectory, ROOT_INO } from "../../tree/inode.ts";
import type { DirectoryPaths, DirentLocation } from "./directory-paths.ts";
import type { PlannedInode, RevertPlan } from "./revert-plan.ts";
import type { DentryChange } from "./revert-set.ts";

export function applyPlan(mutation: Mutation, plan: RevertPlan): RevertedChange[] {
  return new Applier(mutation, plan).apply();
}

class Applier {
  readonly #mutation: Mutation;
  readonly #plan: RevertPlan;
  readonly #places: DirectoryPaths;
  readonly #done: RevertedChange[] = [];
  readonly #losses: Map<number, DentryChange[]>;
  readonly #gains: Map<number, DentryChange[]>;
  /** A name of each file that gets one here. */
  readonly #named = new Map<number, DirentLocation>();
  /** Changes in the number of subdirectories: the tables do not have them yet. */
  readonly #subdirectories = new Map<number, number>();

  constructor(mutation: Mutation, plan: RevertPlan) {
    this.#mutation = mutation;
    this.#plan = plan;
    this.#places = plan.places.before.copy();
    this.#losses = Map.groupBy(plan.slots, ({ now }) => now);
    this.#gains = Map.groupBy(plan.slots, ({ target }) => target);
    mutation.preload([...plan.cells.inodes.values()].map(({ inode }) => inode));
    mutation.preload(plan.places.before.inodes.values());
  }

  apply(): RevertedChange[] {
    const { slots, inodes } = this.#plan;
    const ofDirectory = ({ ino }: PlannedInode) => isDirectory(this.#inode(ino));
    const [directories, files] = [inodes.filter(ofDirectory), inodes.filter((planned) => !ofDirectory(planned))];
    // First, while removed inodes are still where the log will look for them.
    for (const planned of files) if (planned.hidden) this.#put(planned);
    const moved = this.#moveWhatOnlyMoved();
    const rest = slots.filter((slot) => !moved.has(slot));
    this.#remove(rest.filter(({ now }) => now !== 0));
    this.#bringBack(rest.filter(({ target }) => target !== 0));
    for (const planned of files) if (!planned.hidden) this.#put(planned);
    // Last: every change in a directory changes its time.
    for (const planned of directories) this.#put(planned);
    return this.#done;
  }

  /** One name removed and one free name added: a rename. Returns both dentry changes of each. */
  #moveWhatOnlyMoved(): Set<DentryChange> {
    const moved = new Set<DentryChange>();
    for (const [ino, [from, ...others]] of this.#losses) {
      const [to, ...more] = this.#gains.get(ino) ?? [];
      if (ino === 0 || from === undefined || to === undefined || others.length + more.length > 0) continue;
      if (to.now !== 0 || from.target !== 0 || this.#places.above(to.parent).includes(ino)) continue;
      if (this.#places.path(to.parent) === null || this.#places.path(from.parent) === null) continue;
      const [source, target] = [this.#slot(from), this.#slot(to)];
      this.#count(ino, from.parent, -1);
      this.#mutation.rename(source, target, this.#inode(ino), null);
      this.#settle(ino, to);
      this.#done.push({ path: target.path, action: "move", from: source.path });
      moved.add(from).add(to);
    }
    return moved;
  }

  /** Deepest first, so that every path is still valid. */
  #remove(slots: readonly DentryChange[]): void {
    const placed = slots
      .map((cell) => ({ cell, path: this.#slot(cell).path }))
      .sort((a, b) => depth(b.path) - depth(a.path));
    for (const { cell, path } of placed) {
      const inode = this.#inode(cell.now);
      this.#count(cell.now, cell.parent, -1);
      this.#mutation.remove(this.#slot(cell), inode);
      if (isDirectory(inode)) this.#places.set(cell.now, null);
      const moves = this.#gains.get(cell.now)?.some((gain) => this.#isSeen(gain, "after"));
      if (!moves && cell.target === 0 && this.#isSeen(cell, "before")) this.#done.push({ path, action: "remove" });
    }
  }

  /** Parents first, for the same reason. */
  #bringBack(slots: readonly DentryChange[]): void {
    const { db } = this.#mutation.volume.store;
    const heads = slots.map(({ target }) => target).filter((ino) => isDirectory(this.#inode(ino)));
    const held = countSubdirectories(db, heads);
    const others = this.#otherNames(slots);
    const placed = slots.map((cell) => ({ cell, path: this.#plan.places.after.pathIn(cell.parent, cell.name) ?? "" }));
    placed.sort((a, b) => depth(a.path) - depth(b.path));
    for (const { cell } of placed) {
      const { target } = cell;
      const slot = this.#slot(cell);
      const inode = this.#inode(target);
      if (isDirectory(inode) || inode.nlink === 0) {
        const inside = (held.get(target) ?? 0) + (this.#subdirectories.get(target) ?? 0);
        this.#mutation.relink(slot, inode, inside);
      } else this.#mutation.link(slot, inode, this.#otherSlot(inode, others, slot));
      this.#settle(target, cell);
      const nth = this.#gains.get(target)?.indexOf(cell) ?? 0;
      const from = this.#losses.get(target)?.[nth];
      const moved = from === undefined ? null : this.#plan.places.before.pathIn(from.parent, from.name);
      if (!this.#isSeen(cell, "after")) continue;
      if (moved === null) this.#done.push({ path: slot.path, action: "restore" });
      else this.#done.push({ path: slot.path, action: "move", from: moved });
    }
  }

  #put({ ino, content, mode, mtime, hidden }: PlannedInode): void {
    const slot = this.#slotOf(ino);
    const mutation = this.#mutation;
    let inode = this.#inode(ino);
    if (content !== undefined) {
      const merged = "merged" in content;
      const ref = merged
        ? mutation.content({ kind: "bytes", bytes: content.merged })
        : // A part of the same row needs no second owner.
          {
            ...content,
            content: content.content === inode.content ? inode.content : mutation.addReference(content.content),
          };
      inode = mutation.replaceContent(slot, inode, ref, mtime);
      if (!hidden) this.#done.push({ path: slot.path, action: "write", ...(merged ? { merged: true as const } : {}) });
    }
    const remoded = mode !== undefined && mode !== inode.mode;
    if (!remoded && (mtime === undefined || mtime === inode.mtime)) return;
    mutation.setAttributes(slot, inode, {
      ...(mode === undefined ? {} : { mode }),
      ...(mtime === undefined ? {} : { mtime }),
    });
    if (!hidden && content === undefined && (remoded || !isDirectory(inode)))
      this.#done.push({ path: slot.path, action: "attributes" });
  }

  /** Current names of files that get another one, for the hardlink table. Two statements for all. */
  #otherNames(slots: readonly DentryChange[]): Map<number, DirentLocation[]> {
    const { db } = this.#mutation.volume.store;
    const files = new Map<number, Inode>();
    for (const { target } of slots) {
      const inode = this.#plan.cells.inodes.get(target)?.inode;
      const lost = this.#losses.get(target)?.length ?? 0;
      if (inode !== undefined && !isDirectory(inode) && inode.nlink > lost) files.set(target, inode);
    }
    return Map.groupBy(selectAllNames(db, [...files.values()]), ({ ino }) => ino);
  }

  #otherSlot(inode: Inode, others: ReadonlyMap<number, readonly DirentLocation[]>, slot: Dentry): Dentry {
    if (inode.nlink !== 1) return slot;
    const { entries } = this.#mutation;
    const isStill = ({ parent, name }: DirentLocation) => (entries.get(parent)?.get(name) ?? inode.ino) === inode.ino;
    const place = this.#named.get(inode.ino) ?? others.get(inode.ino)?.find(isStill);
    if (place === undefined)
      throw new FsError("EIO", { syscall: "undo", path: slot.path, reason: "its other name is missing; run fsck()" });
    return { parent: this.#inode(place.parent), name: place.name, path: slot.path };
  }

  /** Records the new location of an inode. */
  #settle(ino: number, { parent, name }: DirentLocation): void {
    this.#count(ino, parent, 1);
    if (isDirectory(this.#inode(ino))) this.#places.set(ino, { parent, name });
    else this.#named.set(ino, { parent, name });
  }

  #count(ino: number, parent: number, by: number): void {
    if (isDirectory(this.#inode(ino))) this.#subdirectories.set(parent, (this.#subdirectories.get(parent) ?? 0) + by);
  }

  /** Whether a name can be reached from the root. */
  #isSeen({ parent }: DentryChange, when: "before" | "after"): boolean {
    return this.#plan.places[when].path(parent) !== null;
  }

  /** In a removed tree the path is the future or the former one. */
  #slot({ parent, name, path: last }: DirentLocation & { readonly path?: string }): Dentry {
    const path =
      this.#places.pathIn(parent, name) ?? this.#plan.places.after.pathIn(parent, name) ?? last ?? `/${name}`;
    return { parent: this.#inode(parent), name, path };
  }

  #slotOf(ino: number): Dentry {
    if (ino === ROOT_INO) return { parent: this.#inode(ROOT_INO), name: "", path: "/" };
    const place = this.#named.get(ino) ?? this.#places.get(ino);
    if (place !== undefined && place !== null) return this.#slot(place);
    const seen = this.#plan.cells.placeOf(ino);
    if (seen === undefined) return { parent: this.#inode(ROOT_INO), name: "", path: "/" };
    const path = this.#places.pathIn(seen.parent, seen.name) ?? seen.path;
    return { parent: this.#inode(seen.parent), name: seen.name, path };
  }

  #inode(ino: number): Inode {
    const inode = this.#mutation.inode(ino);
    if (inode === null) throw new FsError("EIO", { syscall: "undo", reason: `inode ${ino} is missing; run fsck()` });
    return inode;
  }
}

function depth(path: string): number {
  let slashes = 0;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) slashes++;
  return slashes;
}
