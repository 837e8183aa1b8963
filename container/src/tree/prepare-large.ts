/**
 * Prepares offers with large files, so that applying them is synchronous. It copies and compares a large file that is offered under
 * another name, and hashes a file that changed within the clock's tick. Other work runs in between.
 */
import { chmodSync, constants, rmSync, unlinkSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { type PushEntry, SYNC_LIMITS } from "@workspace/protocol";
import type { OpenDirectories } from "../jail/open-directories.ts";
import { openFile } from "../jail/read-file.ts";
import { hashWithYields } from "./hash.ts";
import { fingerprint, type ManifestEntry, type StatFingerprint, sameFingerprint } from "./manifest.ts";
import { splitPath, type Tree } from "./tree.ts";

export class PreparedLarge implements Disposable {
  readonly #tree: Tree;
  /** Files in `staging`, by the path they are offered for. */
  readonly #copies = new Map<string, { name: string; hash: string }>();
  readonly #hashes = new Map<string, { looks: StatFingerprint; hash: string }>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  addCopy(path: string, copy: { name: string; hash: string }): void {
    this.#copies.set(path, copy);
  }

  addHash(path: string, looks: StatFingerprint, hash: string): void {
    this.#hashes.set(path, { looks, hash });
  }

  /** The caller owns the file from now on. */
  takeCopy(path: string): { name: string; hash: string } | null {
    const copy = this.#copies.get(path) ?? null;
    this.#copies.delete(path);
    return copy;
  }

  hashOf(path: string, looks: StatFingerprint): string | null {
    const found = this.#hashes.get(path);
    return found !== undefined && sameFingerprint(found.looks, looks) ? found.hash : null;
  }

  /** Removes files that were not claimed. */
  [Symbol.dispose](): void {
    for (const { name } of this.#copies.values()) unlinkSync(this.#tree.staging.at(name));
    this.#copies.clear();
  }
}

export async function prepareLarge(tree: Tree, offers: readonly PushEntry[]): Promise<PreparedLarge> {
  const prepared = new PreparedLarge(tree);
  try {
    using pins = tree.pins();
    for (const path of racyAmong(tree, offers)) await hash(tree, pins, prepared, path);
    let sources: Map<string, string> | null = null;
    for (const { path, type, size = 0, content, bytes, staged } of offers) {
      if (type !== "file" || size <= SYNC_LIMITS.inlineBytes || bytes !== undefined || staged !== undefined) continue;
      if (tree.manifest.get(path)?.content === content) continue;
      sources ??= largeByContent(tree);
      const from = sources.get(content as string);
      if (from !== undefined) await copy(tree, pins, prepared, from, path);
    }
    return prepared;
  } catch (error) {
    prepared[Symbol.dispose]();
    throw error;
  }
}

/** Entries to compare: those offered, and those below a directory to be removed. */
function racyAmong(tree: Tree, offers: readonly PushEntry[]): string[] {
  const isRacy = (known: ManifestEntry | undefined) =>
    known?.type === "file" && known.racy && known.size > SYNC_LIMITS.inlineBytes;
  const racy = new Set<string>();
  const removed: string[] = [];
  for (const { path, type } of offers) {
    const known = tree.manifest.get(path);
    if (isRacy(known)) racy.add(path);
    if (known?.type === "dir" && type !== "dir") removed.push(`${path}/`);
  }
  if (removed.length === 0) return [...racy];
  for (const [path, known] of tree.manifest)
    if (isRacy(known) && removed.some((above) => path.startsWith(above))) racy.add(path);
  return [...racy];
}

function largeByContent(tree: Tree): Map<string, string> {
  const paths = new Map<string, string>();
  for (const [path, { content, type, size }] of tree.manifest)
    if (type === "file" && content !== null && size > SYNC_LIMITS.inlineBytes) paths.set(content, path);
  return paths;
}

async function hash(tree: Tree, pins: OpenDirectories, prepared: PreparedLarge, path: string): Promise<void> {
  using file = opened(tree, pins, path);
  if (file !== null) prepared.addHash(path, fingerprint(file.stat), await hashWithYields(file));
}

async function copy(
  tree: Tree,
  pins: OpenDirectories,
  prepared: PreparedLarge,
  from: string,
  to: string,
): Promise<void> {
  const known = tree.manifest.get(from) as ManifestEntry;
  using file = opened(tree, pins, from);
  if (file === null || known.hash === null || !sameFingerprint(known, fingerprint(file.stat))) return;
  if ((await hashWithYields(file)) !== known.hash) return;
  const name = tree.nextStaged();
  const place = tree.staging.at(name);
  try {
    await copyFile(`/proc/self/fd/${file.fd}`, place, constants.COPYFILE_EXCL);
    // Written to while it was copied: the copy is discarded.
    if (!sameFingerprint(fingerprint(file.restat()), file.stat)) return unlinkSync(place);
    chmodSync(place, 0o600);
  } catch (error) {
    rmSync(place, { force: true });
    throw error;
  }
  prepared.addCopy(to, { name, hash: known.hash });
}

function opened(tree: Tree, pins: OpenDirectories, path: string) {
  const [directory, name] = splitPath(path);
  const parent = pins.find(directory);
  return parent === null ? null : openFile(parent, name, tree.owner);
}
