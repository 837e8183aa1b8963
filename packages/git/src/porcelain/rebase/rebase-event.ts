/**
 * The events that a rebase reports while it runs, and its possible results. These are data; `format/rebase-text.ts` converts them
 * to text.
 */
import type { Commit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { LabelledCommit } from "../sequencer/commit-label.ts";
import type { AutostashEnd } from "../stash/autostash.ts";
import type { LocalChanges } from "./local-changes.ts";
import type { UpdatedRefs } from "./update-refs.ts";

export type RebaseEvent =
  | { readonly kind: "progress"; readonly done: number; readonly total: number }
  | { readonly kind: "merged"; readonly messages: readonly string[] }
  /** The output of a merge of several heads, as git merge prints it. */
  | { readonly kind: "octopus"; readonly output: string; readonly errors: string }
  | { readonly kind: "committed"; readonly oid: Oid; readonly commit: Commit }
  /** `--continue` has committed what was staged at the stop. */
  | { readonly kind: "resolved"; readonly oid: Oid; readonly commit: Commit }
  | { readonly kind: "dropped"; readonly picked: LabelledCommit }
  | { readonly kind: "exec"; readonly command: string }
  | { readonly kind: "exec-output"; readonly stdout: Uint8Array; readonly stderr: Uint8Array };

export type RebaseReport = (event: RebaseEvent) => void | Promise<void>;

/** After all but "done" the rebase waits for `--continue`, `--skip` or `--abort`. */
export type RebaseEnd =
  | {
      readonly kind: "done";
      readonly headName: string;
      readonly autostash: AutostashEnd;
      readonly updated: UpdatedRefs;
    }
  /** A `break` line. */
  | { readonly kind: "break"; readonly head: LabelledCommit }
  /** The commit of an `edit` line is made. `text`: the rest of the line in the todo list. */
  | { readonly kind: "edit"; readonly picked: LabelledCommit; readonly text: string }
  | { readonly kind: "conflict"; readonly picked: LabelledCommit; readonly text: string }
  /** The change of the commit is in HEAD already. */
  | { readonly kind: "empty"; readonly picked: LabelledCommit; readonly text: string }
  | { readonly kind: "merge-conflict"; readonly original: LabelledCommit | null; readonly text: string }
  | {
      readonly kind: "exec-failed";
      readonly command: string;
      readonly exitCode: number;
      readonly changes: LocalChanges;
      readonly isRescheduled: boolean;
    }
  /** `--continue` with conflicts, or with changes that are not staged. */
  | { readonly kind: "unresolved"; readonly unmerged: readonly string[] };
