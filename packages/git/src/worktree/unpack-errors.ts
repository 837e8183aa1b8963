/** Why a work tree cannot become another one: everything that would be lost, told at once, in git's words. */

import { compareText } from "../bytes.ts";
import { GitError } from "../errors.ts";
import { GITLINK } from "../index/compare-stat.ts";
import type { PathUpdate } from "./update-work-tree.ts";
import type { WorkRepository } from "./work-tree-stats.ts";

export type RefusedVerb = "checkout" | "merge" | "reset";

const WHAT_NEXT: Readonly<Record<RefusedVerb, { commit: string; move: string }>> = {
  checkout: {
    commit: "Please commit your changes or stash them before you switch branches.",
    move: "Please move or remove them before you switch branches.",
  },
  merge: {
    commit: "Please commit your changes or stash them before you merge.",
    move: "Please move or remove them before you merge.",
  },
  reset: { commit: "", move: "Please move or remove them before you reset." },
};

export class UnpackErrors {
  /** Changed here and there. */
  readonly changed = new Set<string>();
  /** Of those: staged as neither tree has it. */
  readonly staged = new Set<string>();
  /** Untracked, and in the way of a file to come. */
  readonly overwritten = new Set<string>();
  /** Untracked, and below a directory that is to go. */
  readonly removed = new Set<string>();
  /** Directories with untracked files where a file is to come. */
  readonly directories = new Set<string>();
  /** Where the command was begun, and a file is to come. */
  readonly currentDirectory = new Set<string>();

  get any(): boolean {
    return [this.changed, this.overwritten, this.removed, this.directories, this.currentDirectory].some(
      ({ size }) => size > 0,
    );
  }

  /** One that stands in a directory would stand nowhere. */
  addStanding({ originalCwd, prefix }: WorkRepository, updates: readonly PathUpdate[]): void {
    const directory = originalCwd ?? prefix;
    if (directory === "") return;
    for (const { path, to } of updates)
      if (to !== null && to.mode !== GITLINK && directory === `${path}/`) this.currentDirectory.add(path);
  }

  /** In the words of plumbing, which stops at the first path. */
  plainError(): GitError {
    const lines = new Map<string, string>();
    const add = (paths: ReadonlySet<string>, line: (path: string) => string) => {
      for (const path of paths) if (!lines.has(path)) lines.set(path, line(path));
    };
    add(this.changed, (path) => {
      const why = this.staged.has(path) ? "would be overwritten by merge" : "not uptodate";
      return `Entry '${path}' ${why}. Cannot merge.`;
    });
    add(this.directories, (path) => `Updating '${path}' would lose untracked files in it`);
    add(this.overwritten, (path) => `Untracked working tree file '${path}' would be overwritten by merge.`);
    add(this.removed, (path) => `Untracked working tree file '${path}' would be removed by merge.`);
    add(this.currentDirectory, (path) => `Refusing to remove '${path}' since it is the current working directory.`);
    const [first = ""] = sorted(new Set(lines.keys()));
    return new GitError("ESTATE", lines.get(first) ?? "", { prefix: "error" });
  }

  /** `name` is what the command calls itself in the message: "checkout", "merge", "reset". */
  error(verb: RefusedVerb, name: string = verb): GitError {
    const { commit, move } = WHAT_NEXT[verb];
    const parts = [
      part(`Your local changes to the following files would be overwritten by ${name}:`, this.changed, commit),
      part("Updating the following directories would lose untracked files in them:", this.directories, ""),
      part(`The following untracked working tree files would be overwritten by ${name}:`, this.overwritten, move),
      part(`The following untracked working tree files would be removed by ${name}:`, this.removed, move),
      part("Refusing to remove the current working directory:", this.currentDirectory, ""),
    ].filter((text) => text !== "");
    const [first = "", ...others] = parts;
    const hint = [...others.map((text) => `error: ${text}\n`), "Aborting\n"].join("");
    return new GitError("ESTATE", first, { prefix: "error", exitCode: 1, hint });
  }
}

function sorted(paths: ReadonlySet<string>): string[] {
  return [...paths].sort(compareText);
}

function part(heading: string, paths: ReadonlySet<string>, next: string): string {
  if (paths.size === 0) return "";
  const list = sorted(paths).map((path) => `\t${path}\n`);
  return `${heading}\n${list.join("")}${next === "" ? "" : next}`;
}
