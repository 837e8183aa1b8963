/**
 * Converts a stat of `node:fs` to a `FileStat`; includes `dev` because git stores it in the index.
 */
import type { Stats } from "node:fs";
import type { EntryType, FileStat } from "@workspace/vfs";

export class NodeStat implements FileStat {
  readonly type: EntryType;
  readonly mode: number;
  readonly size: number;
  readonly dev: number;
  readonly ino: number;
  readonly nlink: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly atimeMs: number;

  constructor(from: Stats) {
    this.type = from.isDirectory() ? "dir" : from.isSymbolicLink() ? "symlink" : "file";
    this.mode = from.mode;
    this.size = from.size;
    this.dev = from.dev;
    this.ino = from.ino;
    this.nlink = from.nlink;
    this.uid = from.uid;
    this.gid = from.gid;
    this.mtimeMs = from.mtimeMs;
    this.ctimeMs = from.ctimeMs;
    this.birthtimeMs = from.birthtimeMs;
    this.atimeMs = from.atimeMs;
  }

  get mtime(): Date {
    return new Date(this.mtimeMs);
  }
  get ctime(): Date {
    return new Date(this.ctimeMs);
  }
  get birthtime(): Date {
    return new Date(this.birthtimeMs);
  }
  get atime(): Date {
    return new Date(this.atimeMs);
  }
  /** Weaker than a workspace's guarantee: `node:fs` has no revisions. */
  get version(): string {
    return `${this.ino}.${this.ctimeMs}`;
  }
  get contentVersion(): string {
    return `${this.ino}.${this.mtimeMs}.${this.size}`;
  }

  isFile(): boolean {
    return (this.mode & 0o170000) === 0o100000;
  }
  isDirectory(): boolean {
    return this.type === "dir";
  }
  isSymbolicLink(): boolean {
    return this.type === "symlink";
  }
  isBlockDevice(): boolean {
    return (this.mode & 0o170000) === 0o060000;
  }
  isCharacterDevice(): boolean {
    return (this.mode & 0o170000) === 0o020000;
  }
  isFIFO(): boolean {
    return (this.mode & 0o170000) === 0o010000;
  }
  isSocket(): boolean {
    return (this.mode & 0o170000) === 0o140000;
  }
}
