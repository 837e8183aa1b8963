/** Reasons why a work tree cannot be switched: everything that would be lost, reported at once, in git's words. */
import { GitError } from "../errors.ts";
import { MODE_GITLINK } from "../object/file-mode.ts";
import { compareText } from "../text/bytes.ts";
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
  /** Changed locally and between the trees. */
  readonly changed = new Set<string>();
  /** A subset of those: staged as in neither tree. */
  readonly staged = new Set<string>();
  /** Untracked, in the place of a new file. */
  readonly overwritten = new Set<string>();
  /** Untracked, below a directory to be removed. */
  readonly removed = new Set<string>();
  /** Directories with untracked files in the place of a new file. */
  readonly directories = new Set<string>();
  /** The command's own directory, in the place of a new file. */
  readonly currentDirectory = new Set<string>();

  get any(): boolean {
    return [this.changed, this.overwritten, this.removed, this.directories, this.currentDirectory].some(
      ({ size }) => size > 0,
    );
  }

  /** A file in the place of the command's own directory would remove it. */
  addStanding({ originalCwd, prefix }: WorkRepository, updates: readonly PathUpdate[]): void {
    const directory = originalCwd ?? prefix;
    if (directory === "") return;
    for (const { path, to } of updates)
      if (to !== null && to.mode !== MODE_GITLINK && directory === `${path}/`) this.currentDirectory.add(path);
  }

  /** Plumbing's messages, which stop at the first path. */
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

  /** `name` is the command's name in the message: "checkout", "merge", "reset". */
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
