/** A name in a directory, whether or not something has it. */
import type { Inode } from "../inode.ts";

export interface Dentry {
  readonly parent: Inode;
  readonly name: string;
  readonly path: string;
}
