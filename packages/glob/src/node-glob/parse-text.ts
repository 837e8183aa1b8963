// A run of segment text, read into tokens: characters, `?`, `*` and classes. Several `*` in a row are one, and a `[` that opens
// no class is a character.
import { type CharSet, notSlash } from "../automaton/char-set.ts";
import { parseClass } from "./parse-class.ts";

export type TextToken =
  | { readonly kind: "literal"; readonly code: number }
  | { readonly kind: "set"; readonly set: CharSet }
  /** As "set", but exempt from Node's rule against leading dots. */
  | { readonly kind: "mixedSet"; readonly set: CharSet }
  | { readonly kind: "star" }
  | { readonly kind: "never" };

export interface TextTokens {
  readonly tokens: readonly TextToken[];
  /** Whether Node matches code points here instead of UTF-16 units: it does for most POSIX classes. */
  readonly unicode: boolean;
}

export function parseText(text: string): TextTokens {
  const tokens: TextToken[] = [];
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

/** The text itself, if nothing in it is magic. */
export function literalText({ tokens }: TextTokens): string | null {
  let text = "";
  for (const token of tokens) {
    if (token.kind !== "literal") return null;
    text += String.fromCharCode(token.code);
  }
  return text;
}
