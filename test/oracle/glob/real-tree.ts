// A tree of empty files on the real disk, for git, ripgrep and Node to walk. Generated from a seed, so that a failing case is
// reproducible; the caller removes it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Random } from "../../support/random.ts";

export interface RealTree {
  readonly root: string;
  /** Relative paths of all entries, parents first; true for a directory. */
  readonly entries: ReadonlyMap<string, boolean>;
  remove(): void;
}

export function emptyTree(): { root: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "glob-oracle-"));
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

export interface Growth {
  /** Where in the root it grows. */
  readonly top?: string;
  readonly depth?: number;
  /** Create the directories, and only list the files: enough for tests of paths without contents. */
  readonly directoriesOnly?: boolean;
}

export function growTree(
  random: Random,
  root: string,
  names: readonly string[],
  { top = "", depth: levels = 4, directoriesOnly = false }: Growth = {},
): Map<string, boolean> {
  const entries = new Map<string, boolean>();
  const grow = (directory: string, depth: number) => {
    for (const name of names) {
      if (!random.chance(4.5 / names.length)) continue;
      const path = directory === "" ? name : `${directory}/${name}`;
      const isDirectory = depth + 1 < levels && random.chance(0.45);
      entries.set(path, isDirectory);
      if (!isDirectory) {
        if (!directoriesOnly) writeFileSync(join(root, path), "");
        continue;
      }
      mkdirSync(join(root, path), { recursive: true });
      grow(path, depth + 1);
    }
  };
  if (top !== "") mkdirSync(join(root, top), { recursive: true });
  grow(top, 0);
  return entries;
}

export function makeTree(random: Random, names: readonly string[], growth: Growth = {}): RealTree {
  const { root, remove } = emptyTree();
  return { root, entries: growTree(random, root, names, growth), remove };
}
