/** What it takes to print commits: the same for all of one command, and what is known of each. */
import { type Commit, parseCommit } from "../object/commit.ts";
import type { Signature } from "../object/signature.ts";
import type { Oid } from "../oid.ts";
import type { Repository } from "../repository.ts";
import type { Decorations } from "./decorations.ts";
import type { Mailmap } from "./mailmap.ts";
import type { PrettyFormat } from "./pretty-format.ts";

export interface PrettyContext {
  readonly repo: Repository;
  readonly format: PrettyFormat;
  readonly color: boolean;
  /** What is shown in, UTF-8 by default; "": as it was written. */
  readonly encoding?: string;
  /** Digits of an abbreviated name; undefined: git's guess; 40 or more: whole. */
  readonly abbrev?: number;
  /** In the mode that was asked for, or in `mode`. */
  readonly date: (who: Signature, mode?: string) => string;
  /** For every name shown; placeholders with a capital letter use `anyMailmap` whether or not this is set. */
  readonly mailmap: Mailmap | null;
  readonly anyMailmap: () => Promise<Mailmap>;
  readonly decorations: () => Promise<Decorations>;
  readonly fullDecorations?: boolean;
  readonly expandTabs?: number;
  /** `--source`: by which name a commit was reached, after its own. */
  readonly showSource?: boolean;
  /** For `%(describe)`. */
  readonly describe?: (oid: Oid, options: DescribeFormat) => Promise<string>;
  /** For `--pretty=email`; default "PATCH". */
  readonly subjectPrefix?: string;
}

export interface DescribeFormat {
  readonly tags?: boolean;
  readonly abbrev?: number;
  readonly match?: readonly string[];
  readonly exclude?: readonly string[];
}

/** Formats of the user are filled in UTF-8, and then are in the other encoding as a whole. */
export function parseDisplayed(
  { format, encoding }: Partial<Pick<PrettyContext, "format" | "encoding">>,
  body: Uint8Array,
): Commit {
  return parseCommit(body, format?.kind === "user" ? undefined : encoding);
}

export interface PrettyCommit {
  readonly oid: Oid;
  readonly commit: Commit;
  /** As the walk sees them: a simplified history has others than the commit. */
  readonly parents: readonly Oid[];
  /** `%m`: ">", "<", "-", "=", "^". */
  readonly mark?: string;
  readonly source?: string;
  /** Raw, for `%N`. */
  readonly notes?: string;
  readonly reflog?: ReflogLine;
  /** Columns at the left that the graph takes. */
  readonly graphWidth?: number;
}

export interface ReflogLine {
  /** "HEAD@{0}", as it was typed, and short. */
  readonly selector: string;
  readonly shortSelector: string;
  readonly message: string;
  readonly who: Signature;
}
