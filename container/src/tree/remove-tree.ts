/**
 * Removes a directory that the workspace no longer has: what was agreed on and still looks so, and what only the container has
 * (caches in it). What a command made and nobody has taken yet stays, with the directories above it.
 */
import { lstatSync, readdirSync, rmdirSync, rmSync, type Stats, unlinkSync } from "node:fs";
import type { PinnedDirectory } from "../jail/pinned-directory.ts";
import type { Pins } from "../jail/pins.ts";
import { type Known, kindOf } from "./manifest.ts";
import { splitPath, type Tree } from "./tree.ts";

type IsClean = (path: string, known: Known, stat: Stats) => boolean;

/** Whether nothing is left. */
export function removeTree(tree: Tree, pins: Pins, path: string, isClean: IsClean): boolean {
  const [directory, name] = splitPath(path);
  const parent = pins.find(directory);
  if (parent === null) return true;
  return removeIn(tree, parent, name, path, isClean);
}

function removeIn(tree: Tree, parent: PinnedDirectory, name: string, path: string, isClean: IsClean): boolean {
  const below = parent.enter(name);
  let empty = true;
  {
    using held = below;
    for (const entry of readdirSync(held.path)) {
      if (!removeEntry(tree, held, entry, `${path}/${entry}`, isClean)) empty = false;
    }
  }
  // One that a command made and nobody has taken yet stays, though it is empty.
  if (!empty || !tree.manifest.has(path)) return false;
  try {
    rmdirSync(parent.at(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY") throw error;
    return false;
  }
  tree.manifest.delete(path);
  return true;
}

function removeEntry(tree: Tree, parent: PinnedDirectory, name: string, path: string, isClean: IsClean): boolean {
  const stat = lstatSync(parent.at(name), { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const type = kindOf(stat.mode);
  const known = tree.manifest.get(path);
  if (known === undefined && tree.policy.staysHere(path, type === "dir")) {
    rmSync(parent.at(name), { recursive: true, force: true });
    return true;
  }
  if (type === "dir") return removeIn(tree, parent, name, path, isClean);
  if (known === undefined || !isClean(path, known, stat)) return false;
  unlinkSync(parent.at(name));
  tree.manifest.delete(path);
  return true;
}
