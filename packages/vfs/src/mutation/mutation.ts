/**
 * The changes of one verb, collected in memory and written in as few statements as possible: contents, inodes, names and log, one
 * statement each. Planning reads through it (see `PendingTree`); nothing is written until `commit`, so a plan that throws has
 * changed nothing.
 */

import { FsError } from "../api/errors.ts";
import type { ChangeOp } from "../api/file-system.ts";
import type { RewrittenContent } from "../content/apply-edits.ts";
import type { PreparedContent } from "../content/spool.ts";
import { requireChange, requireWholeTree } from "../policy/require-change.ts";
import type { LogEntry } from "../store/log.ts";
import { type Inode, isDirectory, isFile, typeCode } from "../tree/inode.ts";
import type { WriteView } from "../volume/views.ts";
import type { Dentry } from "./dentry.ts";
import { PendingTree } from "./pending-tree.ts";
import { RoomMade } from "./room-made.ts";

export interface Identity {
  actor?: string;
  callId?: string;
}

export interface NewInode {
  mode: number;
  content?: number;
  size?: number;
  target?: string;
  mtime?: number;
}

/** Approximate size of an entry with its inode and name. */
const ENTRY_BYTES = 512;

type TouchedDirectory = Pick<LogEntry, "parentCtime"> & { prevParent: number; parentMtime: number };

export class Mutation extends PendingTree {
  readonly time: number;
  readonly log: LogEntry[] = [];
  readonly #identity: Identity;
  #unnamed = false;
  /** Parent directories created for a path that the policy allows: rejected at the commit if nothing allowed is created below. */
  readonly #onTheWay: string[] = [];
  #retainedBytes: number;

  constructor(volume: WriteView, identity: Identity) {
    super(volume);
    this.#identity = identity;
    this.time = volume.store.now();
    this.#retainedBytes = volume.store.retainedBytes;
  }

  get lastRev(): number {
    return this.volume.revisions.head + this.log.length;
  }

  get retainedBytes(): number {
    return this.#retainedBytes;
  }

  commit(): void {
    if (this.log.length === 0 && this.inodes.size === 0) return;
    const { volume } = this;
    for (const path of this.#onTheWay) requireChange(volume, "create", path, this.log);
    const bytes = this.contents.reduce((sum, [, content]) => sum + content.length, this.log.length * ENTRY_BYTES);
    if (volume.store.reserveSpace(bytes)) throw new RoomMade();
    volume.commit(this);
  }

  /** Which cached paths a commit makes stale. */
  get stalePaths(): "none" | "files" | "all" {
    return this.moved ? "all" : this.#unnamed ? "files" : "none";
  }

  // Changes. Each is one entry of the log.

  create(slot: Dentry, created: NewInode): Inode {
    const rev = this.#nextRev();
    const inode: Inode = {
      ino: rev,
      mode: created.mode,
      nlink: 1,
      size: created.size ?? 0,
      content: created.content ?? 0,
      target: created.target ?? null,
      mtime: created.mtime ?? this.time,
      ctime: this.time,
      birthtime: this.time,
      rev,
      contentRev: rev,
      parent: 0,
    };
    const directory = isDirectory(inode);
    const placed = directory ? { ...inode, nlink: 2, parent: slot.parent.ino } : inode;
    const touched = this.#touchDirectory(slot.parent.ino, rev, directory ? 1 : 0);
    this.stage(placed, null);
    this.setEntry(slot, placed.ino, null);
    this.#record("create", placed, slot, { prev: 0, ...touched });
    return placed;
  }

  replaceContent(slot: Dentry, inode: Inode, next: RewrittenContent, mtime = this.time): Inode {
    const rev = this.#nextRev();
    const { content, size, retainedBytes = inode.size } = next;
    const grown = content === inode.content && content !== 0;
    if (!grown && inode.content !== 0) this.#retainedBytes += retainedBytes;
    const changed = { ...inode, content, size, mtime, ctime: this.time, rev, contentRev: rev };
    this.stage(changed, inode);
    this.#record("write", changed, slot, {
      prev: inode.rev,
      // A prefix of the same content needs no separate owner.
      ...(grown ? {} : { oldContent: inode.content }),
      oldSize: inode.size,
      oldMtime: inode.mtime,
      ...changeTime("oldCtime", inode),
      oldContentRev: inode.contentRev,
    });
    return changed;
  }

  /** Moves the same bytes to other rows, without a log entry. Null when the file has changed since it was read. */
  moveContent(inode: Inode, spooled: PreparedContent): Inode | null {
    const now = this.inode(inode.ino);
    if (now === null || now.content !== inode.content || now.size !== inode.size) return null;
    const moved = { ...now, ...this.content(spooled) };
    this.stage(moved, now);
    return moved;
  }

  setAttributes(slot: Dentry, inode: Inode, next: { mode?: number; mtime?: number }): Inode {
    const rev = this.#nextRev();
    const changed = { ...inode, ...next, ctime: this.time, rev };
    this.stage(changed, inode);
    this.#record("attr", changed, slot, {
      prev: inode.rev,
      oldMode: inode.mode,
      oldMtime: inode.mtime,
      ...changeTime("oldCtime", inode),
    });
    return changed;
  }

  link(slot: Dentry, inode: Inode, existing: Dentry): Inode {
    const rev = this.#nextRev();
    // Writing through one name changes what the other shows.
    this.#require("link", existing.path);
    const changed = { ...inode, nlink: inode.nlink + 1, ctime: this.time, rev };
    const touched = this.#touchDirectory(slot.parent.ino, rev, 0);
    if (inode.nlink === 1) this.hardlinksAdded.push([inode.ino, existing.parent.ino, existing.name]);
    this.hardlinksAdded.push([inode.ino, slot.parent.ino, slot.name]);
    this.stage(changed, inode);
    this.setEntry(slot, inode.ino, null);
    this.#record("link", changed, slot, { prev: inode.rev, ...changeTime("oldCtime", inode), ...touched });
    return changed;
  }

  /** Gives a new name to an inode without one: a removed file, or the head of a removed tree with its subdirectories. */
  relink(slot: Dentry, inode: Inode, subdirectories: number): Inode {
    const rev = this.#nextRev();
    const directory = isDirectory(inode);
    requireWholeTree(this.volume, inode, slot.path);
    const touched = this.#touchDirectory(slot.parent.ino, rev, directory ? 1 : 0);
    const nlink = directory ? 2 + subdirectories : 1;
    const changed = { ...inode, nlink, parent: directory ? slot.parent.ino : 0, ctime: this.time, rev };
    this.stage(changed, inode);
    this.setEntry(slot, inode.ino, null);
    this.#record("link", changed, slot, { prev: inode.rev, ...changeTime("oldCtime", inode), ...touched });
    return changed;
  }

  /** Removes a name. A directory is removed with everything under it, in this one entry. */
  remove(slot: Dentry, inode: Inode): void {
    const rev = this.#nextRev();
    const directory = isDirectory(inode);
    requireWholeTree(this.volume, inode, slot.path);
    this.#unnamed = true;
    if (!isFile(inode)) this.invalidatePaths();
    const touched = this.#touchDirectory(slot.parent.ino, rev, directory ? -1 : 0);
    this.setEntry(slot, 0, inode);
    this.#record("remove", inode, slot, {
      prev: inode.rev,
      oldMtime: inode.mtime,
      ...changeTime("oldCtime", inode),
      ...touched,
    });
    this.#dropLink(inode, slot, rev);
  }

  rename(from: Dentry, to: Dentry, inode: Inode, replaced: Inode | null): void {
    const rev = this.#nextRev();
    const directory = isDirectory(inode);
    this.#require("rename", from.path);
    requireWholeTree(this.volume, inode, from.path, to.path);
    if (replaced !== null) requireWholeTree(this.volume, replaced, to.path);
    this.#unnamed = true;
    if (!isFile(inode) || (replaced !== null && !isFile(replaced))) this.invalidatePaths();
    const crosses = from.parent.ino !== to.parent.ino;
    const replacedDirectory = replaced !== null && isDirectory(replaced) ? 1 : 0;
    const left = this.#touchDirectory(from.parent.ino, rev, directory ? -1 : 0);
    // In the same directory the second touch continues the first, with the link count corrected.
    const entered = this.#touchDirectory(to.parent.ino, rev, (directory ? 1 : 0) - replacedDirectory);
    if (replaced !== null) this.#dropLink(replaced, to, rev);
    const moved = {
      ...(this.inodes.get(inode.ino) ?? inode),
      ctime: this.time,
      rev,
      parent: directory ? to.parent.ino : 0,
    };
    this.stage(moved, inode);
    this.setEntry(from, 0, inode);
    this.setEntry(to, inode.ino, replaced);
    if (inode.nlink > 1 && !directory) {
      this.hardlinksRemoved.push([inode.ino, from.parent.ino, from.name]);
      this.hardlinksAdded.push([inode.ino, to.parent.ino, to.name]);
    }
    this.#record("rename", moved, to, {
      prev: inode.rev,
      fromParent: from.parent.ino,
      fromPath: from.path,
      prevFrom: left.prevParent,
      fromMtime: left.parentMtime,
      ...(left.parentCtime === undefined ? {} : { fromCtime: left.parentCtime }),
      ...changeTime("oldCtime", inode),
      ...(crosses ? entered : left),
      ...(replaced === null
        ? {}
        : { replaced: replaced.ino, prevReplaced: replaced.rev, ...changeTime("replacedCtime", replaced) }),
    });
  }

  // Parts.

  #nextRev(): number {
    return this.volume.revisions.head + this.log.length + 1;
  }

  #touchDirectory(ino: number, rev: number, subdirectories: number): TouchedDirectory {
    const directory = this.inode(ino);
    if (directory === null)
      throw new FsError("EIO", { syscall: "write", reason: `directory ${ino} is missing; run fsck()` });
    const { time } = this;
    // The head of a removed tree has a link count of 0 until it has a name again.
    const nlink = directory.nlink === 0 ? 0 : directory.nlink + subdirectories;
    this.stage({ ...directory, nlink, mtime: time, ctime: time, rev }, directory);
    return { prevParent: directory.rev, parentMtime: directory.mtime, ...changeTime("parentCtime", directory) };
  }

  /** Removes one name; without the last one the inode is left to the collector. */
  #dropLink(inode: Inode, slot: Dentry, rev: number): void {
    const directory = isDirectory(inode);
    const nlink = directory ? 0 : inode.nlink - 1;
    if (!directory && nlink > 1) this.hardlinksRemoved.push([inode.ino, slot.parent.ino, slot.name]);
    // With one name left its hardlink row is removed: a later rename of that name would not update the row.
    if (!directory && nlink === 1) {
      this.hardlinksCleared.add(inode.ino);
      const others = this.hardlinksAdded.filter(([ino]) => ino !== inode.ino);
      this.hardlinksAdded.splice(0, this.hardlinksAdded.length, ...others);
    }
    if (nlink === 0 && !directory) this.#retainedBytes += inode.size;
    this.stage({ ...inode, nlink, parent: 0, ctime: this.time, rev }, inode);
  }

  /** Applies the policy of this view to one path. */
  #require(op: ChangeOp, path: string): void {
    if (this.volume.rules !== null) requireChange(this.volume, op, path);
  }

  #record(op: ChangeOp, inode: Inode, slot: Dentry, fields: Partial<LogEntry> & { prev: number }): void {
    const { rules } = this.volume;
    const isOnTheWay = op === "create" && isDirectory(inode) && rules !== null && rules.refusal(slot.path) !== null;
    if (isOnTheWay) this.#onTheWay.push(slot.path);
    else this.#require(op, slot.path);
    const entry: LogEntry = {
      rev: this.#nextRev(),
      time: this.time,
      op,
      type: typeCode(inode),
      ino: inode.ino,
      parent: slot.parent.ino,
      path: slot.path,
      retainedBytes: this.#retainedBytes,
      ...fields,
    };
    if (this.log.length > 0) entry.tx = this.volume.revisions.head + 1;
    if (this.#identity.actor !== undefined) entry.actor = this.#identity.actor;
    if (this.#identity.callId !== undefined) entry.callId = this.#identity.callId;
    this.log.push(entry);
  }
}

/** Recorded only where it differs from the mtime, which is recorded anyway or has not changed. */
function changeTime<Name extends "oldCtime" | "parentCtime" | "replacedCtime">(
  name: Name,
  { ctime, mtime }: Inode,
): { [K in Name]?: number } {
  return ctime === mtime ? {} : ({ [name]: ctime } as { [K in Name]: number });
}
