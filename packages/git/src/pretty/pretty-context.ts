/** The context for printing commits: settings of one command, and data of each commit. */

import type { Mailmap } from "../message/mailmap.ts";
import { type Commit, parseCommit } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import type { Signature } from "../object/signature.ts";
import type { Repository } from "../repository.ts";
import type { Decorations } from "./decorations.ts";
import type { PrettyFormat } from "./pretty-format.ts";

export interface PrettyContext {
  readonly repo: Repository;
  readonly format: PrettyFormat;
  readonly color: boolean;
  /** Output encoding, UTF-8 by default; "": as written. */
  readonly encoding?: string;
  /** Digits of an abbreviated id; undefined: git's guess; 40 or more: full. */
  readonly abbrev?: number;
  /** In the requested mode, or in `mode`. */
  readonly date: (who: Signature, mode?: string) => string;
  /** For every name shown; placeholders with a capital letter always use `anyMailmap`. */
  readonly mailmap: Mailmap | null;
  readonly anyMailmap: () => Promise<Mailmap>;
  readonly decorations: () => Promise<Decorations>;
  readonly fullDecorations?: boolean;
  readonly expandTabs?: number;
  /** `--source`: the name by which a commit was reached, after its own. */
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

/** User formats are expanded in UTF-8, and then converted to the other encoding as a whole. */
export function parseDisplayed(
  { format, encoding }: Partial<Pick<PrettyContext, "format" | "encoding">>,
  body: Uint8Array,
): Commit {
  return parseCommit(body, format?.kind === "user" ? undefined : encoding);
}

export interface PrettyCommit {
  readonly oid: Oid;
  readonly commit: Commit;
  /** As in the walk: a simplified history has other parents than the commit. */
  readonly parents: readonly Oid[];
  /** `%m`: ">", "<", "-", "=", "^". */
  readonly mark?: string;
  readonly source?: string;
  /** Raw, for `%N`. */
  readonly notes?: string;
  readonly reflog?: ReflogLine;
  /** Columns that the graph uses at the left. */
  readonly graphWidth?: number;
}

export interface ReflogLine {
  /** "HEAD@{0}", as it was typed, and short. */
  readonly selector: string;
  readonly shortSelector: string;
  readonly message: string;
  readonly who: Signature;
}
