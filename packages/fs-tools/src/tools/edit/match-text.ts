/**
 * Finds an edit's text in a file. Tries an exact match first; then line endings, trailing space, indentation and typography may
 * differ, one match strategy after the other. The first strategy with any match decides: one match is accepted, more are ambiguous.
 */
import type { FuzzyMatchStrategy } from "../../definition/tool-context.ts";
import type { Work } from "../../definition/work.ts";
import { allIndexes } from "../../format/text-search.ts";
import { findIndented } from "./indentation.ts";
import { detectLineEnding, type LineEnding } from "./line-endings.ts";
import { type Normalization, NormalText } from "./normal-text.ts";

export type MatchStrategy = "exact" | FuzzyMatchStrategy;

export const MATCH_STRATEGIES: readonly FuzzyMatchStrategy[] = [
  "line-endings",
  "trailing-space",
  "indentation",
  "unicode",
];

export interface TextMatch {
  rung: MatchStrategy;
  /** In the file's text, end exclusive. */
  start: number;
  end: number;
  /** With `indentation`: the new text with the indentation of this place. */
  reindent?: (text: string) => string | null;
}

const RULES: Readonly<Record<Exclude<MatchStrategy, "exact" | "indentation">, Normalization>> = {
  "line-endings": { lineEndings: true, trailingSpace: false, unicode: false },
  "trailing-space": { lineEndings: true, trailingSpace: true, unicode: false },
  unicode: { lineEndings: true, trailingSpace: true, unicode: true },
};

export function strategyRules(rung: MatchStrategy): Normalization {
  return rung === "exact" || rung === "indentation" ? RULES["trailing-space"] : RULES[rung];
}

/** A file's text, searched by several edits: each normal form is computed once. */
export class TextMatcher {
  readonly #normal = new Map<string, NormalText>();
  #ending: LineEnding | undefined;

  constructor(readonly text: string) {}

  /** The most frequent one. */
  get lineEnding(): LineEnding {
    return (this.#ending ??= detectLineEnding(this.text));
  }

  /** Matches of the first strategy that has any; empty: none has. At most `limit`, which is enough to tell one from many. */
  *find(oldText: string, off: readonly FuzzyMatchStrategy[] = [], limit = 10): Work<TextMatch[]> {
    const positions = yield* allIndexes(this.text, oldText, limit);
    if (positions.length > 0)
      return positions.map((start): TextMatch => ({ rung: "exact", start, end: start + oldText.length }));
    for (const rung of MATCH_STRATEGIES) {
      if (off.includes(rung)) continue;
      const found =
        rung === "indentation"
          ? yield* findIndented(this.text, oldText, limit)
          : yield* this.#normalized(rung, oldText, limit);
      if (found.length > 0) return found;
    }
    return [];
  }

  *#normalized(rung: Exclude<FuzzyMatchStrategy, "indentation">, oldText: string, limit: number): Work<TextMatch[]> {
    const rules = RULES[rung];
    const needle = (yield* NormalText.of(oldText, rules)).text;
    if (needle.trim() === "") return [];
    let normal = this.#normal.get(rung);
    if (normal === undefined) this.#normal.set(rung, (normal = yield* NormalText.of(this.text, rules)));
    const found: TextMatch[] = [];
    for (const at of yield* allIndexes(normal.text, needle, limit)) {
      const range = normal.range(at, at + needle.length);
      if (range !== null) found.push({ rung, ...range });
    }
    return found;
  }
}

export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}
