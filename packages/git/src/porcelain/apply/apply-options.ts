/** The options of `git apply`, and the files it works on. */
import type { AppliedHunk, FilePatch, StripGuess } from "@workspace/text";
import type { FileSystem } from "@workspace/vfs";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";

export type WhitespaceAction = "nowarn" | "warn" | "fix" | "error" | "error-all";

export interface ApplyOptions {
  /** False: only inspects (`--check`, `--stat`, …). */
  apply: boolean;
  /** Checks whether the patch would apply, even if nothing is written. */
  check: boolean;
  /** Also the index (`--index`), or only the index (`--cached`). */
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
  /** Prefix of every name: "" or "dir/". */
  directory: string;
  /** `--include` and `--exclude`, in order. */
  limits: readonly { readonly pattern: string; readonly include: boolean }[];
  verbosity: "quiet" | "normal" | "verbose";
  intentToAdd: boolean;
}

export interface ApplyContext {
  readonly fs: FileSystem;
  /** The directory that names in patches are relative to. */
  readonly root: string;
  /** The current directory, relative to `root`: "" or "dir/". */
  readonly prefix: string;
  /** Number of leading directories to strip from names, if not given. */
  readonly guess: StripGuess;
  /** Line number of the patch's first line: git continues the count from one patch file to the next. */
  readonly firstLine?: number;
  /** Null: outside any repository. */
  readonly repo: Repository | null;
  /** Receives what git writes to stderr. */
  readonly print: (text: string) => void;
}

/** One file of a patch, and its result. */
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
