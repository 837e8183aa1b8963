/** A patch as data: one `FilePatch` for each file it touches. Positions are lines from 1, as in the hunk's header. */

export interface FilePatch {
  /** Null: the file is created. */
  oldName: string | null;
  /** Null: the file is deleted. */
  newName: string | null;
  /** 0: not stated. */
  oldMode: number;
  newMode: number;
  /** "maybe": a patch without git's header does not always say. */
  isNew: boolean | "maybe";
  isDelete: boolean | "maybe";
  readonly isRename: boolean;
  readonly isCopy: boolean;
  /** Percent of similarity, or of rewriting. */
  readonly score: number;
  /** Abbreviated object ids from the "index" line. */
  readonly oldId: string | null;
  readonly newId: string | null;
  /** It has git's header. */
  readonly isGit: boolean;
  readonly hunks: PatchHunk[];
  readonly binary: BinaryPatch | null;
  readonly added: number;
  readonly removed: number;
}

export interface PatchHunk {
  readonly oldStart: number;
  readonly oldCount: number;
  readonly newStart: number;
  readonly newCount: number;
  readonly lines: readonly PatchLine[];
  /** Lines of context at its beginning and end. */
  readonly leading: number;
  readonly trailing: number;
  /** The line of the patch that its header is on. */
  readonly line: number;
  /** Verbatim from the patch, header included. */
  readonly text: Uint8Array;
}

export interface PatchLine {
  readonly kind: " " | "-" | "+";
  /** With its "\n", unless the patch says there is none. */
  readonly text: Uint8Array;
  /** Where it is in the patch, from 1. */
  readonly line: number;
}

/** Both directions; the second may be missing. "announced": the patch only states that files differ. */
export type BinaryPatch = "announced" | { readonly forward: BinaryHunk; readonly backward: BinaryHunk | null };

export interface BinaryHunk {
  readonly method: "literal" | "delta";
  /** Size of the inflated data. */
  readonly size: number;
  readonly deflated: Uint8Array;
}

/** A patch error in git's words, with its position. */
export class PatchError extends Error {
  override readonly name = "PatchError";

  constructor(
    message: string,
    /** From 1. */
    readonly line: number,
  ) {
    super(message);
  }
}
