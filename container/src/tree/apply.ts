/**
 * Brings paths to the workspace's state. A path whose stat differs from the manifest was changed by a command and not pulled yet:
 * it is left alone, and the next scan lets the workspace reconcile both sides. New contents are written outside the tree and
 * renamed into place, so that no command reads a partial file.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { CONTAINER_ONLY_REASON, type OfferOutcome, type PushEntry, withContents } from "@workspace/protocol";
import type { DirectoryHandle } from "../jail/directory-handle.ts";
import type { OpenDirectories } from "../jail/open-directories.ts";
import { openFile } from "../jail/read-file.ts";
import { hashBytes, hashFile } from "./hash.ts";
import { entryKind, fingerprint, type ManifestEntry, sameFingerprint } from "./manifest.ts";
import { type ApplyContext, newFile, newLink, setTime, writeNew } from "./new-entry.ts";
import type { PartialUploads } from "./partial-uploads.ts";
import { type PreparedLarge, prepareLarge } from "./prepare-large.ts";
import { removeTree } from "./remove-tree.ts";
import { splitPath, type Tree } from "./tree.ts";

const { O_NOFOLLOW, O_RDONLY } = constants;

/** Checks and copies large contents first, interleaved with other work; the rest is one synchronous step. */
export async function applyOffers(
  tree: Tree,
  staged: PartialUploads,
  offers: readonly PushEntry[],
  body: Uint8Array,
): Promise<OfferOutcome[]> {
  using prepared = await prepareLarge(tree, offers);
  return applyPrepared(tree, staged, prepared, offers, body);
}

function applyPrepared(
  tree: Tree,
  staged: PartialUploads,
  prepared: PreparedLarge,
  offers: readonly PushEntry[],
  body: Uint8Array,
): OfferOutcome[] {
  using pins = tree.pins();
  using _modes = exactModes();
  const contents = new Map<string, string>();
  const outcomes: OfferOutcome[] = [];
  let known: Map<string, string> | null = null;
  /** Paths by content version: a file renamed or copied in the workspace already has its bytes here. Built on first use. */
  const find = (content: string): string | undefined => {
    known ??= byContent(tree);
    return contents.get(content) ?? known.get(content);
  };
  for (const [offer, bytes] of withContents(offers, body)) {
    const outcome = applyOffer({ tree, pins, staged, prepared, find }, offer, bytes);
    if (outcome === "ok") tree.unsynced.delete(offer.path);
    else if (outcome !== "need") tree.unsynced.add(offer.path);
    if (outcome === "ok" && offer.content !== undefined) contents.set(offer.content, offer.path);
    outcomes.push(outcome);
  }
  return outcomes;
}

/** New files get exactly the mode they are opened with. No process that could inherit the umask starts meanwhile. */
function exactModes(): Disposable {
  const before = process.umask(0);
  return { [Symbol.dispose]: () => void process.umask(before) };
}

function applyOffer(work: ApplyContext, offer: PushEntry, bytes: Uint8Array | undefined): OfferOutcome {
  const { tree, pins } = work;
  if (tree.policy.staysHere(offer.path, offer.type === "dir")) return { failed: CONTAINER_ONLY_REASON };
  const before = tree.manifest.get(offer.path);
  const [directory, name] = splitPath(offer.path);
  try {
    const parent = offer.type === "absent" ? pins.find(directory) : parentFor(pins, directory);
    if (parent === "dirty") return "dirty";
    // Content that arrives with its bytes is written before the target is checked: one stat then serves before and after.
    if (bytes !== undefined && parent !== null && before?.content !== offer.content)
      return putWritten(work, offer, bytes, parent);
    const stat = parent === null ? undefined : lstatSync(parent.at(name), { throwIfNoEntry: false });
    if (offer.type === "absent") return remove(work, offer.path, parent, stat);
    if (
      before !== undefined &&
      stat !== undefined &&
      before.version === offer.version &&
      isClean(work, offer.path, before, stat)
    )
      return "ok";
    if (offer.type === "dir") return putDirectory(work, offer, parent as DirectoryHandle, stat);
    return putLeaf(work, offer, bytes, parent as DirectoryHandle, stat);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // Every later entry would fail as well: fail the whole batch, which is retried later.
    if (code === "ENOSPC" || code === "EDQUOT") throw error;
    return { failed: message.slice(0, 500).replaceAll(/\/proc\/self\/fd\/\d+/g, () => "…") };
  }
}

/** The entry on disk matches the manifest. */
function isClean({ tree, pins, prepared }: ApplyContext, path: string, known: ManifestEntry, stat: Stats): boolean {
  if (entryKind(stat.mode) !== known.type) return false;
  if (known.type === "dir") return true;
  if (!sameFingerprint(known, fingerprint(stat))) return false;
  if (!known.racy || known.hash === null) return !known.racy || known.type === "symlink";
  const hashed = prepared.hashOf(path, fingerprint(stat));
  if (hashed !== null) return hashed === known.hash;
  const [directory, name] = splitPath(path);
  const parent = pins.find(directory);
  using file = parent === null ? null : openFile(parent, name, tree.owner);
  return file !== null && hashFile(file) === known.hash;
}

/** The directory for an entry, created if missing; anything else in its place was made by a command. */
function parentFor(pins: OpenDirectories, directory: string): DirectoryHandle | "dirty" {
  const found = pins.find(directory);
  if (found !== null) return found;
  try {
    return pins.make(directory);
  } catch (error) {
    if (!["ENOTDIR", "ELOOP", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return "dirty";
  }
}

function remove(
  work: ApplyContext,
  path: string,
  parent: DirectoryHandle | null,
  stat: Stats | undefined,
): OfferOutcome {
  const { tree, pins } = work;
  const known = tree.manifest.get(path);
  if (parent === null || stat === undefined) {
    forget(tree, path);
    return "ok";
  }
  if (known === undefined) return "dirty";
  if (entryKind(stat.mode) === "dir") {
    // A command put a directory where a file was: it belongs to the command, even if empty.
    if (known.type !== "dir") return "dirty";
    const done = removeTree(tree, pins, path, (below, entry, looks) => isClean(work, below, entry, looks));
    pins.forget(path);
    return done ? "ok" : "dirty";
  }
  if (!isClean(work, path, known, stat)) return "dirty";
  unlinkSync(parent.at(splitPath(path)[1]));
  forget(tree, path);
  return "ok";
}

function forget(tree: Tree, path: string): void {
  const known = tree.manifest.get(path);
  tree.manifest.delete(path);
  if (known?.type !== "dir") return;
  for (const below of tree.manifest.keys()) if (below.startsWith(`${path}/`)) tree.manifest.delete(below);
}

function putDirectory(
  work: ApplyContext,
  offer: PushEntry,
  parent: DirectoryHandle,
  stat: Stats | undefined,
): OfferOutcome {
  const { tree, pins } = work;
  const name = splitPath(offer.path)[1];
  const known = tree.manifest.get(offer.path);
  if (stat !== undefined && entryKind(stat.mode) !== "dir") {
    if (known === undefined || known.type === "dir" || !isClean(work, offer.path, known, stat)) return "dirty";
    unlinkSync(parent.at(name));
    forget(tree, offer.path);
  }
  const created = pins.make(offer.path);
  const wanted = offer.mode as number;
  // A mode that a command changed stays until it is pulled.
  const changedHere = known?.type === "dir" && stat !== undefined && known.mode !== stat.mode;
  if (!changedHere && (fstatSync(created.fd).mode & 0o7777) !== wanted) fchmodSync(created.fd, wanted);
  const now = fstatSync(created.fd);
  if (tree.owner !== null && now.uid !== tree.owner.uid) return { failed: "the directory belongs to another user" };
  remember(work, offer, changedHere ? ({ ...now, mode: known.mode } as Stats) : now, null);
  return changedHere ? "dirty" : "ok";
}

/** Whether the existing entry may be replaced: it is in the manifest and unchanged since. */
function isFree(work: ApplyContext, path: string, stat: Stats | undefined): boolean {
  const known = work.tree.manifest.get(path);
  if (stat !== undefined) return known !== undefined && isClean(work, path, known, stat);
  // Removed by a command, and the removal is not pulled yet.
  return known === undefined || known.type === "dir";
}

/** A small file: its bytes are here and differ from those in the manifest. */
function putWritten(work: ApplyContext, offer: PushEntry, bytes: Uint8Array, parent: DirectoryHandle): OfferOutcome {
  const { tree, pins } = work;
  const name = splitPath(offer.path)[1];
  const staged = tree.staging.at(tree.nextStaged());
  const fd = writeNew(work, staged, offer, bytes);
  let placed = false;
  try {
    const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
    if (!isFree(work, offer.path, stat)) return "dirty";
    if (stat !== undefined && entryKind(stat.mode) === "dir") {
      const cleared = removeTree(tree, pins, offer.path, (below, entry, looks) => isClean(work, below, entry, looks));
      pins.forget(offer.path);
      if (!cleared) return "dirty";
    }
    renameSync(staged, parent.at(name));
    placed = true;
    remember(work, offer, fstatSync(fd), hashBytes(bytes));
    return "ok";
  } finally {
    closeSync(fd);
    if (!placed) unlinkSync(staged);
  }
}

/** A file or a symlink. */
function putLeaf(
  work: ApplyContext,
  offer: PushEntry,
  bytes: Uint8Array | undefined,
  parent: DirectoryHandle,
  stat: Stats | undefined,
): OfferOutcome {
  const { tree, pins } = work;
  const name = splitPath(offer.path)[1];
  const known = tree.manifest.get(offer.path);
  if (!isFree(work, offer.path, stat)) return "dirty";
  if (offer.type === "file" && known?.type === "file" && known.content === offer.content && stat !== undefined)
    return changeAttributes(work, offer, parent, stat, known);
  const created = offer.type === "symlink" ? newLink(work, offer) : newFile(work, offer, bytes);
  if (created === null) return "need";
  if (stat !== undefined && entryKind(stat.mode) === "dir") {
    const cleared = removeTree(tree, pins, offer.path, (below, entry, looks) => isClean(work, below, entry, looks));
    pins.forget(offer.path);
    if (!cleared) {
      unlinkSync(tree.staging.at(created.name));
      return "dirty";
    }
  }
  // Writing took a while. A write by a command in the meantime is not overwritten; the microseconds between this check and the
  // rename are the race that any two writers of a directory have.
  if (stat !== undefined && entryKind(stat.mode) !== "dir" && !isStill(parent, name, stat)) {
    unlinkSync(tree.staging.at(created.name));
    return "dirty";
  }
  if (stat === undefined && lstatSync(parent.at(name), { throwIfNoEntry: false }) !== undefined) {
    unlinkSync(tree.staging.at(created.name));
    return "dirty";
  }
  renameSync(tree.staging.at(created.name), parent.at(name));
  remember(work, offer, lstatSync(parent.at(name)), created.hash);
  return "ok";
}

function isStill(parent: DirectoryHandle, name: string, stat: Stats): boolean {
  const now = lstatSync(parent.at(name), { throwIfNoEntry: false });
  return now !== undefined && sameFingerprint(fingerprint(now), fingerprint(stat));
}

/** The bytes are here: only mode and time change, on the file that the manifest describes. */
function changeAttributes(
  work: ApplyContext,
  offer: PushEntry,
  parent: DirectoryHandle,
  stat: Stats,
  known: ManifestEntry,
): OfferOutcome {
  const name = splitPath(offer.path)[1];
  const fd = openSync(parent.at(name), O_RDONLY | O_NOFOLLOW);
  try {
    if (fstatSync(fd).ino !== stat.ino) return "dirty";
    fchmodSync(fd, offer.mode as number);
    setTime(fd, offer.mtime as number);
    remember(work, offer, fstatSync(fd), known.hash);
    return "ok";
  } finally {
    closeSync(fd);
  }
}

function remember({ tree }: ApplyContext, offer: PushEntry, stat: Stats, hash: string | null): void {
  const looks = fingerprint(stat);
  tree.manifest.set(offer.path, {
    ...looks,
    type: offer.type as ManifestEntry["type"],
    hash,
    target: offer.target ?? null,
    // Created within the clock's tick: the next scan compares it by hash.
    racy: offer.type !== "dir",
    version: offer.version ?? null,
    content: offer.content ?? null,
    seen: tree.scans,
  });
}

function byContent(tree: Tree): Map<string, string> {
  const paths = new Map<string, string>();
  for (const [path, { content, type }] of tree.manifest)
    if (type === "file" && content !== null) paths.set(content, path);
  return paths;
}
