/** Flags that `checkout`, `switch` and `restore` share: the conflict style, and submodules, which are left alone. */
import { GitError } from "../../errors.ts";
import type { ConflictStyle } from "../../merge/merge-context.ts";
import type { TrackMode } from "../../porcelain/branch/track-branch.ts";
import type { FlagTable } from "../framework/flag-table.ts";

export const conflictFlags = {
  recurseSubmodules: {
    long: "--recurse-submodules",
    value: "optional",
    arg: "<checkout>",
    help: "control recursive updating of submodules",
  },
  merge: { short: "-m", long: "--merge", help: "perform a 3-way merge with the new branch" },
  conflict: { long: "--conflict", value: "string", arg: "<style>", help: "conflict style (merge, diff3, or zdiff3)" },
} as const satisfies FlagTable;

export const sparseFlag = {
  ignoreSkipWorktreeBits: {
    long: "--ignore-skip-worktree-bits",

    help: "do not limit pathspecs to sparse entries only",
  },
} as const satisfies FlagTable;

const STYLES = ["merge", "diff3", "zdiff3"] as const;

/** Undefined: no merge requested; null: a merge in the configured style. */
export function conflictStyle(flags: { merge?: boolean; conflict?: string | false }): ConflictStyle | null | undefined {
  if (!flags.conflict) return flags.merge ? null : undefined;
  const style = STYLES.find((one) => one === flags.conflict);
  if (style === undefined)
    throw new GitError("EINVAL", `unknown style '${flags.conflict}' given for 'merge.conflictstyle'`);
  return style;
}

/** Rejects incompatible flags; `create` and `forceCreate` name the flags that make a branch, for the message. */
export function refuseMixture(
  flags: {
    force?: boolean;
    discardChanges?: boolean;
    merge?: boolean;
    conflict?: string | false;
    detach?: boolean;
    track?: string | boolean;
    create?: string | false;
    forceCreate?: string | false;
    orphan?: string | false;
  },
  { create, forceCreate }: { readonly create: string; readonly forceCreate: string },
): void {
  const created = [flags.create, flags.forceCreate, flags.orphan].filter((one) => one !== undefined && one !== false);
  if (created.length > 1)
    throw new GitError("EINVAL", `options '${create}', '${forceCreate}', and '--orphan' cannot be used together`);
  const cannot = (a: string, b: string) => new GitError("EINVAL", `'${a}' cannot be used with '${b}'`);
  if (flags.detach && created.length > 0) throw cannot("--detach", "-b/-B/--orphan");
  if (flags.orphan && flags.track) throw cannot("--orphan", "-t");
  if (flags.discardChanges && flags.merge) throw cannot("--discard-changes", "--merge");
}

/** The name of a tracking branch, from its upstream: `origin/topic` makes `topic`. */
export function trackedName(word: string | undefined, letter: "b" | "c"): string {
  if (word === undefined) throw new GitError("EINVAL", "--track needs a branch name");
  const short = word.replace(/^refs\//, () => "").replace(/^remotes\//, () => "");
  const name = short.includes("/") ? short.slice(short.indexOf("/") + 1) : "";
  if (name === "") throw new GitError("EINVAL", `missing branch name; try -${letter}`);
  return name;
}

/** The last of `--ours` and `--theirs` wins. */
export function chosenSide(
  order: readonly { readonly name: string; readonly value: string | boolean }[],
): "ours" | "theirs" | undefined {
  const last = order.findLast(({ name }) => name === "ours" || name === "theirs");
  return last === undefined || last.value === false ? undefined : (last.name as "ours" | "theirs");
}

export function incompatible(): GitError {
  const text = "--ours/--theirs, --force and --merge are incompatible when\nchecking out of the index.";
  return new GitError("EINVAL", `git checkout: ${text}`);
}

/** The meaning of `--track`. */
export function trackOf(value: string | boolean | undefined): TrackMode | undefined {
  if (value === undefined) return undefined;
  if (value === false) return "never";
  return value === "inherit" ? "inherit" : "explicit";
}
