/**
 * Creates files and links in `staging`, complete with bytes, mode, time and owner before they are renamed into the
 * tree.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fchownSync,
  futimesSync,
  lchownSync,
  lutimesSync,
  openSync,
  renameSync,
  symlinkSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { PushEntry } from "@workspace/protocol";
import type { OpenDirectories } from "../jail/open-directories.ts";
import { openFile } from "../jail/read-file.ts";
import { hashBytes, hashFile } from "./hash.ts";
import { fingerprint, sameFingerprint } from "./manifest.ts";
import type { PartialUploads } from "./partial-uploads.ts";
import type { PreparedLarge } from "./prepare-large.ts";
import { splitPath, type Tree } from "./tree.ts";

const { O_WRONLY, O_CREAT, O_EXCL } = constants;

export interface ApplyContext {
  tree: Tree;
  pins: OpenDirectories;
  staged: PartialUploads;
  prepared: PreparedLarge;
  find(content: string): string | undefined;
}

export function newLink({ tree }: ApplyContext, offer: PushEntry): { name: string; hash: null } {
  const name = tree.nextStaged();
  symlinkSync(offer.target as string, tree.staging.at(name));
  const seconds = (offer.mtime as number) / 1e6;
  lutimesSync(tree.staging.at(name), seconds, seconds);
  if (tree.owner !== null) lchownSync(tree.staging.at(name), tree.owner.uid, tree.owner.gid);
  return { name, hash: null };
}

/** A file in `staging`, from the message, from uploaded pieces, or from a local file with the same content. */
export function newFile(
  work: ApplyContext,
  offer: PushEntry,
  bytes: Uint8Array | undefined,
): { name: string; hash: string } | null {
  const { tree } = work;
  const name = tree.nextStaged();
  const path = tree.staging.at(name);
  let hash: string;
  if (bytes !== undefined || offer.size === 0) {
    const content = bytes ?? new Uint8Array(0);
    closeSync(writeNew(work, path, offer, content));
    return { name, hash: hashBytes(content) };
  }
  const staged =
    offer.staged === undefined
      ? work.prepared.takeCopy(offer.path)
      : work.staged.take(offer.staged, offer.size as number);
  if (staged !== null) {
    renameSync(tree.staging.at(staged.name), path);
    hash = staged.hash;
  } else {
    const copied = copyKnown(work, offer, path);
    if (copied === null) return null;
    hash = copied;
  }
  const fd = openSync(path, O_WRONLY);
  try {
    finish(work, fd, offer);
  } finally {
    closeSync(fd);
  }
  return { name, hash };
}

/** Still open; the caller closes it. */
export function writeNew(work: ApplyContext, path: string, offer: PushEntry, content: Uint8Array): number {
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL, (offer.mode as number) & 0o777);
  try {
    for (let at = 0; at < content.length; ) at += writeSync(fd, content, at);
    finish(work, fd, offer, ((offer.mode as number) & ~0o777) === 0);
    return fd;
  } catch (error) {
    closeSync(fd);
    unlinkSync(path);
    throw error;
  }
}

function copyKnown({ tree, pins, find }: ApplyContext, offer: PushEntry, to: string): string | null {
  const from = find(offer.content as string);
  const known = from === undefined ? undefined : tree.manifest.get(from);
  if (from === undefined || known === undefined || known.hash === null || known.content !== offer.content) return null;
  const [directory, name] = splitPath(from);
  const parent = pins.find(directory);
  using file = parent === null ? null : openFile(parent, name, tree.owner);
  if (file === null || !sameFingerprint(known, fingerprint(file.stat)) || hashFile(file) !== known.hash) return null;
  copyFileSync(`/proc/self/fd/${file.fd}`, to, constants.COPYFILE_EXCL);
  chmodSync(to, 0o600);
  return known.hash;
}

function finish({ tree }: ApplyContext, fd: number, offer: PushEntry, hasMode = false): void {
  if (!hasMode) fchmodSync(fd, offer.mode as number);
  setTime(fd, offer.mtime as number);
  if (tree.owner !== null) fchownSync(fd, tree.owner.uid, tree.owner.gid);
  // chown clears the set-id bits.
  if (tree.owner !== null && ((offer.mode as number) & 0o6000) !== 0) fchmodSync(fd, offer.mode as number);
}

export function setTime(fd: number, mtime: number): void {
  futimesSync(fd, mtime / 1e6, mtime / 1e6);
}
