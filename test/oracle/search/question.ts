/**
 * A query for both ripgrep and ours, and the shape of both answers. Plain data: a query travels to
 * Node as JSON and prints as a reproduction. Paths are relative to the tree's root.
 */

/** `text` is written as UTF-8; `bytes` has one character per byte, for what is not text. */
export type Entry =
  | { path: string; text: string }
  | { path: string; bytes: string }
  | { path: string; target: string }
  | { path: string; directory: true };

export type Tree = readonly Entry[];

/** Names and meanings are those of `GrepOptions`. */
export interface Query {
  /** Several: a line that matches any of them. */
  pattern: string | readonly string[];
  /** Where to search: a directory or a file; default the root. */
  path?: string;
  regex?: boolean;
  ignoreCase?: boolean;
  smartCase?: boolean;
  word?: boolean;
  line?: boolean;
  invert?: boolean;
  multiline?: boolean;
  dotAll?: boolean;
  include?: readonly string[];
  exclude?: readonly string[];
  /** A name with "!" before it leaves the type out. */
  types?: readonly string[];
  hidden?: boolean;
  ignore?: false;
  binary?: boolean;
  maxDepth?: number;
  before?: number;
  after?: number;
  context?: number;
  maxPerFile?: number;
  maxHits?: number;
  /** `names`: all files that would be searched, without a look inside. */
  mode?: "lines" | "files" | "count" | "names";
}

export interface Question {
  tree: Tree;
  queries: readonly Query[];
}

/**
 * `lines` holds, in the order given, what `message.ts` makes of a line, for a file `path`, for a count `path:count`. `searched` is
 * the number of searched files, `truncated` whether `maxHits` cut the answer; each is compared where both sides report it.
 */
export type Answer =
  | { lines: string[]; searched?: number; truncated?: boolean }
  | { refused: string }
  | { crashed: string }
  /** ripgrep itself panicked: there is nothing to compare with. */
  | { panicked: string };

export function contentOf(entry: Entry): Uint8Array {
  if ("bytes" in entry) return Uint8Array.from(entry.bytes, (character) => character.charCodeAt(0));
  return new TextEncoder().encode("text" in entry ? entry.text : "");
}
