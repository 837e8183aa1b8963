/**
 * The literal suffixes that a matching path's last name must have, per alternative of a pattern: `*.{ts,tsx}` requires ".ts" or
 * ".tsx". Most names of a tree fail that test, at the cost of one native comparison. If the suffix alone decides about the name,
 * the rest of the result depends only on the directory; if only `**` precedes it, not even on that.
 */
import type { Alternative } from "./parse-pattern.ts";
import { literalText, parseSegmentText } from "./parse-segment-text.ts";

export interface NameSuffix {
  readonly text: string;
  /**
   * "whole": a name that does not begin with a dot fits if it is the text. "suffix": if it ends in it. "part": if it ends in it,
   * and the rest of the pattern agrees.
   */
  readonly kind: "whole" | "suffix" | "part";
}

export interface NameTails {
  readonly tails: readonly NameSuffix[];
  /** A matching name matches in every directory without a dotted name in its path. */
  readonly everywhere: boolean;
}

/** Limited to the bits of a small integer. */
const MAX_TAILS = 16;

/** Null if they would not discriminate names. */
export function nameTails(alternatives: readonly Alternative[]): NameTails | null {
  const tails = new Map<string, NameSuffix>();
  for (const alternative of alternatives) {
    const tail = tailOf(alternative);
    if (tail.kind === "part" && tail.text === "") return null;
    tails.set(`${tail.kind} ${tail.text}`, tail);
  }
  if (tails.size === 0 || tails.size > MAX_TAILS) return null;
  const isExact = [...tails.values()].every(({ kind }) => kind !== "part");
  const isAnywhere = alternatives.every(([first, ...others]) => first?.kind === "globstar" && others.length === 1);
  return { tails: [...tails.values()], everywhere: isExact && isAnywhere };
}

function tailOf(alternative: Alternative): NameSuffix {
  const last = alternative.at(-1);
  if (last === undefined || last.kind === "globstar") return { kind: "part", text: "" };
  if (last.kind === "literal") {
    const isName = last.text !== "" && last.text !== "." && last.text !== "..";
    return isName ? { kind: "whole", text: last.text } : { kind: "part", text: "" };
  }
  const part = last.sequence.at(-1);
  if (typeof part !== "string") return { kind: "part", text: "" };
  const { tokens, unicode } = parseSegmentText(part);
  const magic = tokens.findLastIndex(({ kind }) => kind !== "literal");
  const text = literalText({ tokens: tokens.slice(magic + 1), unicode }) as string;
  const isSuffix = last.sequence.length === 1 && magic === 0 && tokens[0]?.kind === "star";
  return { kind: isSuffix ? "suffix" : "part", text };
}
