/** The results of `stat` and `readdir`. Plain fields first, so that they can be serialized and rebuilt on the other side. */
import type { Dirent, EntryType, FileStat, Version } from "../api/file-system.ts";

export interface StatFields {
  type: EntryType;
  mode: number;
  size: number;
  ino: number;
  nlink: number;
  mtimeMs: number;
  ctimeMs: number;
  birthtimeMs: number;
  version: Version;
  contentVersion: Version;
}

/** The methods that Node's `Stats` and `Dirent` share. */
abstract class Typed {
  abstract readonly type: EntryType;

  isFile(): boolean {
    return this.type === "file";
  }
  isDirectory(): boolean {
    return this.type === "dir";
  }
  isSymbolicLink(): boolean {
    return this.type === "symlink";
  }
  isBlockDevice(): boolean {
    return false;
  }
  isCharacterDevice(): boolean {
    return false;
  }
  isFIFO(): boolean {
    return false;
  }
  isSocket(): boolean {
    return false;
  }
}

export class Stats extends Typed implements FileStat {
  readonly type: EntryType;
  readonly mode: number;
  readonly size: number;
  readonly ino: number;
  readonly nlink: number;
  readonly uid = 0;
  readonly gid = 0;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly version: Version;
  readonly contentVersion: Version;

  constructor(fields: StatFields) {
    super();
    this.type = fields.type;
    this.mode = fields.mode;
    this.size = fields.size;
    this.ino = fields.ino;
    this.nlink = fields.nlink;
    this.mtimeMs = fields.mtimeMs;
    this.ctimeMs = fields.ctimeMs;
    this.birthtimeMs = fields.birthtimeMs;
    this.version = fields.version;
    this.contentVersion = fields.contentVersion;
  }

  get atimeMs(): number {
    return this.mtimeMs;
  }
  get atime(): Date {
    return this.mtime;
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
}

export class DirectoryEntry extends Typed implements Dirent {
  readonly name: string;
  readonly parentPath: string;
  readonly type: EntryType;

  constructor(name: string, parentPath: string, type: EntryType) {
    super();
    this.name = name;
    this.parentPath = parentPath;
    this.type = type;
  }
}
