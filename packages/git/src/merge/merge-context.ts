/** State of one merge: its sides, its options, and the messages so far. */
import type { WhitespaceRule } from "@workspace/text";
import type { Conversion } from "../convert/conversion.ts";
import type { Repository } from "../repository.ts";
import { compareText } from "../text/bytes.ts";
import type { MergeEntry } from "./merge-entry.ts";

export interface MergeLabels {
  readonly ours: string;
  readonly theirs: string;
  /** For the base part of the diff3 styles. */
  readonly base: string;
}

export type ConflictStyle = "merge" | "diff3" | "zdiff3";

export interface StrategyOptions {
  /** `-X ours`, `-X theirs`. */
  readonly favor?: "ours" | "theirs";
  readonly whitespace?: WhitespaceRule;
  readonly renormalize?: boolean;
  /** False: `-X no-renames`. */
  readonly renames?: boolean;
  /** Minimum similarity, of 60 000. */
  readonly renameScore?: number;
  /** How conflicts are written; default as configured. */
  readonly style?: ConflictStyle;
  /** Diff algorithm; default histogram, as in `ort`. */
  readonly algorithm?: "myers" | "histogram";
}

export interface MergeContext {
  readonly repo: Repository;
  readonly labels: MergeLabels;
  readonly options: StrategyOptions;
  /** Nesting depth of virtual bases; these print no messages. */
  readonly depth: number;
  readonly paths: Map<string, MergeEntry>;
  readonly conflicted: Map<string, MergeEntry>;
  readonly messages: MergeMessages;
  /** Conversion of line endings by the merged attributes, once a path needs it. */
  conversion?: Promise<Conversion>;
}

/** Printed in path order; messages of one path in order of creation. */
export class MergeMessages {
  readonly #byPath = new Map<string, string[]>();
  /** A message requires the user's attention, whether or not a path is conflicted. */
  hasDoubt = false;

  constructor(readonly silent: boolean) {}

  addDoubt(path: string, text: string): void {
    this.hasDoubt = true;
    this.add(path, text);
  }

  add(path: string, text: string): void {
    if (this.silent) return;
    const list = this.#byPath.get(path);
    if (list) list.push(text);
    else this.#byPath.set(path, [text]);
  }

  get byPath(): ReadonlyMap<string, readonly string[]> {
    return this.#byPath;
  }

  lines(): string[] {
    return [...this.#byPath.keys()].sort(compareText).flatMap((path) => this.#byPath.get(path) as string[]);
  }
}

/** An unused name beside `path`: `path~branch`, with slashes replaced. */
export function uniquePath({ paths }: Pick<MergeContext, "paths">, path: string, branch: string): string {
  const wanted = `${path}~${branch.replaceAll("/", () => "_")}`;
  let name = wanted;
  for (let suffix = 0; paths.has(name); suffix++) name = `${wanted}_${suffix}`;
  return name;
}
