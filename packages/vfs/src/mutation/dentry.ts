/** A directory entry: a name in a directory, with or without an inode. */
import type { Inode } from "../tree/inode.ts";

export interface Dentry {
  readonly parent: Inode;
  readonly name: string;
  readonly path: string;
}
