/** What `git apply` is told, and the files it is about while it works. */
import type { AppliedHunk, FilePatch, StripGuess } from "@workspace/text";
import type { FileSystem } from "@workspace/vfs";
import type { Oid } from "../../oid.ts";
import type { Repository } from "../../repository.ts";

export type WhitespaceAction = "nowarn" | "warn" | "fix" | "error" | "error-all";

export interface ApplyOptions {
  /** False: only look (`--check`, `--stat`, …). */
  apply: boolean;
  /** See whether it would apply, though nothing is written. */
  check: boolean;
  /** The index too (`--index`), or alone (`--cached`). */
  target: "worktree" | "index" | "cached";
  threeWay: boolean;
  reverse: boolean;
  reject: boolean;
  strip?: number;
  recount: boolean;
  unidiffZero: boolean;
  allowOverlap: boolean;
  allowEmpty: boolean;
  unsafePaths: boolean;
  noAdd: boolean;
  ignoreSpaceChange: boolean;
  whitespace: WhitespaceAction;
  /** `-C<n>`. */
  context?: number;
  /** Put before every name: "" or "dir/". */
  directory: string;
  /** `--include` and `--exclude`, in order. */
  limits: readonly { readonly pattern: string; readonly include: boolean }[];
  verbosity: "quiet" | "normal" | "verbose";
  intentToAdd: boolean;
}

export interface ApplyContext {
  readonly fs: FileSystem;
  /** What names in patches are relative to. */
  readonly root: string;
  /** The directory the command stands in, seen from there: "" or "dir/". */
  readonly prefix: string;
  /** How many directories to take off names, where nobody says. */
  readonly guess: StripGuess;
  /** The number of the patch's first line: git counts on from one file of patches to the next. */
  readonly firstLine?: number;
  /** Null: outside of any. */
  readonly repo: Repository | null;
  /** Takes what git writes to stderr. */
  readonly print: (text: string) => void;
}

/** One file of a patch, and what becomes of it. */
export interface AppliedFile {
  readonly patch: FilePatch;
  result: Uint8Array | null;
  hunks: readonly AppliedHunk[];
  /** It cannot be written. */
  rejected: boolean;
  /** The stages of a merge with conflicts: base (null: none), ours, theirs. */
  conflict: readonly [Oid | null, Oid, Oid] | null;
  directToThreeWay: boolean;
}
