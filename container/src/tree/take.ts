/**
 * Reads the differences of a scan with their contents: small files in batches, large files in pieces. A repeated request returns
 * the same result.
 */
import { type PullAck, type PullEntry, SYNC_LIMITS } from "@workspace/protocol";
import type { OpenDirectories } from "../jail/open-directories.ts";
import { type OpenedFile, openFile } from "../jail/read-file.ts";
import { hashBytes, hashWithYields } from "./hash.ts";
import { fingerprint, isRacy, type ManifestEntry, sameFingerprint } from "./manifest.ts";
import { RunningHash } from "./running-hash.ts";
import type { Scan, TreeDifference } from "./scan.ts";
import { splitPath, type Tree } from "./tree.ts";

export interface Batch {
  entries: PullEntry[];
  body: Buffer[];
  /** Where the next batch starts; null at the end. */
  next: number | null;
}

export function readBatch(tree: Tree, scan: Scan, from: number): Batch {
  using pins = tree.pins();
  // Taken before any read: a file stamped after it may change again under the same timestamp.
  const now = tree.now();
  const entries: PullEntry[] = [];
  const body: Buffer[] = [];
  let bytes = 0;
  let index = from;
  for (; index < scan.differences.length && entries.length < SYNC_LIMITS.batchEntries; index++) {
    const difference = scan.differences[index] as TreeDifference;
    const { op, type, size, same } = difference.taken;
    if (op !== "put" || type !== "file" || same !== undefined) {
      entries.push(difference.taken);
      continue;
    }
    if (size <= SYNC_LIMITS.inlineBytes && bytes + size > SYNC_LIMITS.bodyBytes) break;
    const content = readContent(tree, pins, difference, now);
    if (!("op" in content)) {
      body.push(content);
      bytes += content.length;
      entries.push({ ...difference.taken, hash: difference.hash as string, bytes: content.length });
    } else entries.push(content);
  }
  return { entries, body, next: index < scan.differences.length ? index : null };
}

/** Returns the bytes of a small file. For a large file, and for one that changed since the scan, returns an entry that says so. */
function readContent(tree: Tree, pins: OpenDirectories, difference: TreeDifference, now: number): Buffer | PullEntry {
  const { taken } = difference;
  using file = openTaken(tree, pins, difference);
  if (file === null) return { ...taken, moving: true };
  difference.racy = isRacy(fingerprint(file.stat), now);
  // Its hash is computed while it is read.
  if (taken.size > SYNC_LIMITS.inlineBytes) return { ...taken, large: true };
  const content = file.read(0, taken.size + 1);
  if (content.length !== taken.size || !sameFingerprint(fingerprint(file.restat()), file.stat))
    return { ...taken, moving: true };
  difference.hash = hashBytes(content);
  return content;
}

/** Bytes of a large content; null if it has changed since the scan. */
export function readChunk(tree: Tree, difference: TreeDifference, offset: number, length: number): Buffer | null {
  using pins = tree.pins();
  using file = openTaken(tree, pins, difference);
  if (file === null) return null;
  const { size } = difference.taken;
  const piece = file.read(offset, Math.min(length, Math.max(0, size - offset)));
  if (!sameFingerprint(fingerprint(file.restat()), file.stat)) return null;
  if (difference.hash === null) {
    difference.passed ??= new RunningHash(size);
    difference.passed.add(offset, piece, (position, count) => file.read(position, count));
    difference.hash = difference.passed.hex;
  }
  return piece;
}

/** Hashes a content that was not read to its end; null if it has changed since the scan. */
export async function takeHash(tree: Tree, difference: TreeDifference): Promise<string | null> {
  if (difference.hash !== null) return difference.hash;
  using pins = tree.pins();
  using file = openTaken(tree, pins, difference);
  if (file === null) return null;
  const hash = await hashWithYields(file);
  if (!sameFingerprint(fingerprint(file.restat()), file.stat)) return null;
  return (difference.hash = hash);
}

function openTaken(tree: Tree, pins: OpenDirectories, { taken, looks }: TreeDifference): OpenedFile | null {
  const [directory, name] = splitPath(taken.path);
  const parent = pins.find(directory);
  const file = parent === null ? null : openFile(parent, name, tree.owner);
  if (file === null || looks === null) return null;
  if (sameFingerprint(fingerprint(file.stat), looks)) return file;
  file[Symbol.dispose]();
  return null;
}

/** The workspace has acknowledged these: their stat at the scan enters the manifest. */
export function acknowledge(tree: Tree, scan: Scan, settled: readonly PullAck[]): void {
  for (const { index, version, content = null, behind } of settled) {
    const difference = scan.differences[index];
    if (difference === undefined) continue;
    const { taken, looks } = difference;
    if (behind) tree.unsynced.add(taken.path);
    else tree.unsynced.delete(taken.path);
    if (taken.op === "remove" || looks === null) {
      tree.manifest.delete(taken.path);
      continue;
    }
    const before = tree.manifest.get(taken.path);
    const known: ManifestEntry = {
      ...looks,
      type: taken.type,
      hash: difference.hash ?? (taken.op === "attr" ? (before?.hash ?? null) : null),
      target: taken.target ?? null,
      racy: difference.racy,
      version,
      content: content ?? (taken.op === "attr" ? (before?.content ?? null) : null),
      seen: tree.scans,
    };
    tree.manifest.set(taken.path, known);
  }
}
