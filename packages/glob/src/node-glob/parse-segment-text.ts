/**
 * Parses plain text of one path segment of a Node glob into tokens: characters, `?`, `*` and bracket classes. Extended globs such
 * as `@(a|b)` are already split off (`parse-segment.ts`). Consecutive `*` become one token, and a `[` that opens no class is a
 * character.
 */
import { type CharSet, notSlash } from "../automaton/char-set.ts";
import { parseClass } from "./parse-class.ts";

export type SegmentToken =
  | { readonly kind: "literal"; readonly code: number }
  | { readonly kind: "set"; readonly set: CharSet }
  /** As "set", but exempt from Node's rule against leading dots. */
  | { readonly kind: "mixedSet"; readonly set: CharSet }
  | { readonly kind: "star" }
  /** Matches nothing: an empty class. */
  | { readonly kind: "never" };

export interface SegmentTokens {
  readonly tokens: readonly SegmentToken[];
  /** Whether Node matches code points here instead of UTF-16 units: it does for most POSIX classes. */
  readonly unicode: boolean;
}

export function parseSegmentText(text: string): SegmentTokens {
  const tokens: SegmentToken[] = [];
  let unicode = false;
  for (let i = 0; i < text.length; ) {
    const char = text[i]!;
    const bracket = char === "[" ? parseClass(text, i) : null;
    if (bracket) {
      i = bracket.end;
      if (bracket.kind === "set") {
        unicode ||= bracket.unicode;
        tokens.push({ kind: bracket.mixed ? "mixedSet" : "set", set: bracket.set });
      } else {
        tokens.push(bracket);
      }
      continue;
    }
    i++;
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "star") tokens.push({ kind: "star" });
    } else if (char === "?") {
      tokens.push({ kind: "set", set: notSlash });
    } else {
      tokens.push({ kind: "literal", code: char.charCodeAt(0) });
    }
  }
  return { tokens, unicode };
}

/** Returns the text that the tokens spell, or null if one of them is a wildcard or a set. */
export function literalText({ tokens }: SegmentTokens): string | null {
  let text = "";
  for (const token of tokens) {
    if (token.kind !== "literal") return null;
    text += String.fromCharCode(token.code);
  }
  return text;
}
