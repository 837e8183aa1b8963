/**
 * The pending changes of a verb, and the tree with them applied: a `NameLookup`, so that later steps of a plan see earlier ones.
 * Nothing here is in the database yet.
 */

import type { DetachedRows, RowSpan } from "../content/detached-contents.ts";
import { END, extentsOf } from "../content/extent.ts";
import type { Run } from "../content/layout.ts";
import type { Reservation } from "../content/reservations.ts";
import type { PreparedContent } from "../content/spool.ts";
import { Nodes } from "../content/tree.ts";
import { TreeEditor } from "../content/tree-editor.ts";
import type { NewNode } from "../store/nodes.ts";
import type { Inode } from "../tree/inode.ts";
import type { KnownDirectory, NameLookup } from "../tree/resolve.ts";
import type { WriteView } from "../volume/views.ts";
import type { Dentry } from "./dentry.ts";

export class PendingTree implements NameLookup {
  readonly volume: WriteView;
  readonly inodes = new Map<number, Inode>();
  /** The previous state of the changed inodes and names, for the rollback of a failed commit. */
  readonly inodesBefore = new Map<number, Inode | null>();
  readonly namesBefore: [directory: number, name: string, before: Inode | null][] = [];
  /** Directory → name → inode, 0 for removed. */
  readonly entries = new Map<number, Map<string, number>>();
  readonly contents: [number, Uint8Array][] = [];
  readonly appends: { id: number; length: number; bytes: Uint8Array }[] = [];
  readonly nodes: NewNode[] = [];
  readonly shares = new Map<number, number>();
  /** Reserved blocks whose rows this gives to files. */
  readonly releasedBlocks: Reservation[] = [];
  /** Spooled rows whose bytes were stored elsewhere. */
  readonly discardedRuns: Run[] = [];
  /** Detached rows that now have a file. */
  readonly taken = new Map<DetachedRows, Set<number>>();
  readonly hardlinksAdded: [number, number, string][] = [];
  readonly hardlinksRemoved: [number, number, string][] = [];
  readonly hardlinksCleared = new Set<number>();
  readonly #paths = new Map<string, KnownDirectory>();
  /** Inodes read in bulk for this mutation, including those without a name: the cache holds none of these. */
  readonly #known = new Map<number, Inode>();
  protected moved = false;

  constructor(volume: WriteView) {
    this.volume = volume;
  }

  /** Adds inodes just read from the database: looking up each would cost a statement each. */
  preload(inodes: Iterable<Inode>): void {
    for (const inode of inodes) this.#known.set(inode.ino, inode);
  }

  // The view.

  inode(ino: number): Inode | null {
    return this.inodes.get(ino) ?? this.#known.get(ino) ?? this.volume.cache.inode(ino);
  }

  lookup(directory: number, name: string, ahead?: readonly string[], at?: number): Inode | null {
    const ino = this.entries.get(directory)?.get(name);
    if (ino !== undefined) return ino === 0 ? null : this.inode(ino);
    // The database has no rows of a directory created in this mutation.
    if (this.isNew(directory)) return null;
    const found = this.volume.cache.lookup(directory, name, ahead, at);
    return found === null ? null : (this.inodes.get(found.ino) ?? found);
  }

  /** Whether this mutation creates the inode. */
  isNew(ino: number): boolean {
    return this.inodesBefore.get(ino) === null;
  }

  cachedDirectory(text: string): KnownDirectory | undefined {
    return this.#paths.get(text) ?? (this.moved ? undefined : this.volume.cache.cachedDirectory(text));
  }

  rememberDirectory(text: string, directory: KnownDirectory): void {
    this.#paths.set(text, directory);
  }

  get paths(): ReadonlyMap<string, KnownDirectory> {
    return this.#paths;
  }

  // Contents.

  /** Stores bytes that fit one row, or rows that a spool has written; returns the content reference for an inode. */
  content(spooled: PreparedContent): { content: number; size: number } {
    if (spooled.kind === "bytes") {
      const { bytes } = spooled;
      if (bytes.length === 0) return { content: 0, size: 0 };
      const id = this.volume.store.allocateContentIds(1);
      this.contents.push([id, bytes]);
      return { content: id, size: bytes.length };
    }
    this.releasedBlocks.push(...spooled.blocks);
    const editor = new TreeEditor(new Nodes(this.volume.store.db), this.volume.limits.nodeEntries, 0);
    editor.replace(0, END, extentsOf(spooled.runs, 0));
    const { root, nodes } = editor.finish(() => this.volume.store.allocateContentIds(1));
    this.nodes.push(...nodes);
    return { content: -root, size: spooled.size };
  }

  /** Claims one of the detached contents; the second time it is shared. */
  claimDetached(contents: DetachedRows, index: number): { content: number; size: number } {
    const ref = contents.at(index);
    let rows = this.taken.get(contents);
    if (rows === undefined) this.taken.set(contents, (rows = new Set()));
    if (rows.has(ref.content)) this.addReference(ref.content);
    rows.add(ref.content);
    return ref;
  }

  /** The unclaimed rest of the detached contents that were claimed from. */
  *leftDetached(): Generator<readonly [contents: DetachedRows, left: RowSpan[]]> {
    for (const [contents, rows] of this.taken) yield [contents, contents.without(rows)];
  }

  /** A second owner of a content: a copy, a restored state, a tree that includes a row. */
  addReference(content: number): number {
    if (content !== 0) this.shares.set(content, (this.shares.get(content) ?? 0) + 1);
    return content;
  }

  // Parts of changes.

  /** Cached paths may resolve differently now. */
  protected invalidatePaths(): void {
    this.moved = true;
    this.#paths.clear();
  }

  protected stage(inode: Inode, before: Inode | null): void {
    if (!this.inodes.has(inode.ino)) this.inodesBefore.set(inode.ino, before);
    this.inodes.set(inode.ino, inode);
  }

  protected setEntry({ parent, name }: Dentry, ino: number, before: Inode | null): void {
    let names = this.entries.get(parent.ino);
    if (names === undefined) this.entries.set(parent.ino, (names = new Map()));
    if (!names.has(name)) this.namesBefore.push([parent.ino, name, before]);
    names.set(name, ino);
  }
}
