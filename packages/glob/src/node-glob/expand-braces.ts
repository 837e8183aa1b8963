/**
 * Expands `{a,b}`, `{1..9..2}` and `{a..e}` to plain patterns as Node's glob does (as bash does, except that `${` is left alone and
 * an unpaired brace is literal). Expansion multiplies, so it limits the number of alternatives, the length of the text and the
 * steps.
 */
import { GlobError } from "../errors.ts";
import { MAX_ALTERNATIVES, MAX_EXPANSION_LENGTH, MAX_EXPANSION_STEPS, MAX_NESTING } from "../limits.ts";
import { expandSequence } from "./expand-sequence.ts";

// A pattern contains no NUL, so these cannot collide with it: placeholders for braces that are plain text.
const PLAIN_OPEN = "\0<";
const PLAIN_CLOSE = "\0>";

export function expandBraces(pattern: string): string[] {
  if (!hasInnermostPair(pattern)) return [pattern];
  const text = pattern.startsWith("{}") ? `${PLAIN_OPEN}${PLAIN_CLOSE}${pattern.slice(2)}` : pattern;
  const expanded = expand({ pattern, steps: 0 }, text, 0);
  return [...new Set(expanded.map(restoreBraces))].filter((alternative) => alternative !== "");
}

interface Budget {
  readonly pattern: string;
  steps: number;
}

function expand(budget: Budget, start: string, depth: number): string[] {
  if (depth > MAX_NESTING) throw new GlobError(budget.pattern, 0, `braces are nested deeper than ${MAX_NESTING}`);
  let heads = [""];
  let text = start;
  for (;;) {
    const pair = firstPair(budget, text);
    if (!pair) return combine(budget, heads, text, [""]);
    const before = text.slice(0, pair.open);
    const body = text.slice(pair.open + 1, pair.close);
    const after = text.slice(pair.close + 1);
    const alternatives = before.endsWith("$") ? null : (expandSequence(body) ?? splitOptions(budget, body));
    if (before.endsWith("$")) {
      heads = combine(budget, heads, `${before}{${body}}`, [""]);
    } else if (alternatives === null) {
      // `{a},b}`: the brace that closes too early is text, and the one behind a later comma may close the pair.
      if (!hasLaterOption(after)) return combine(budget, heads, text, [""]);
      text = `${before}{${body}${PLAIN_CLOSE}${after}`;
      continue;
    } else {
      heads = combine(budget, heads, before, expandOptions(budget, alternatives, depth));
    }
    if (after === "") return heads;
    text = after;
  }
}

type Alternatives = { readonly values: string[] } | { readonly options: string[] };

function expandOptions(budget: Budget, alternatives: Alternatives, depth: number): string[] {
  if ("values" in alternatives) return alternatives.values;
  const { options } = alternatives;
  if (options.length > 1) return expandEach(budget, options, depth);
  // `{{a,b}}`: the only comma is inside, so the outer braces are text around each alternative.
  const inner = expand(budget, options[0]!, depth + 1).map((text) => `{${text}}`);
  return inner.length === 1 ? inner : expandEach(budget, inner, depth);
}

function expandEach(budget: Budget, texts: string[], depth: number): string[] {
  const expanded: string[] = [];
  for (const text of texts) {
    for (const alternative of expand(budget, text, depth + 1)) expanded.push(alternative);
    if (expanded.length > MAX_ALTERNATIVES) tooMany(budget);
  }
  return checked(budget, expanded);
}

function splitOptions(budget: Budget, body: string): Alternatives | null {
  if (!body.includes(",")) return null;
  const options = [""];
  let rest = body;
  for (;;) {
    const pair = firstPair(budget, rest);
    const [first = "", ...more] = (pair ? rest.slice(0, pair.open) : rest).split(",");
    options[options.length - 1] += first;
    options.push(...more);
    if (!pair) return { options };
    options[options.length - 1] += rest.slice(pair.open, pair.close + 1);
    rest = rest.slice(pair.close + 1);
  }
}

function combine(budget: Budget, heads: string[], middle: string, tails: string[]): string[] {
  if (heads.length * tails.length > MAX_ALTERNATIVES) tooMany(budget);
  return checked(
    budget,
    heads.flatMap((head) => tails.map((tail) => head + middle + tail)),
  );
}

function checked(budget: Budget, texts: string[]): string[] {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  budget.steps += length;
  if (texts.length > MAX_ALTERNATIVES || length > MAX_EXPANSION_LENGTH) tooMany(budget);
  return texts;
}

function tooMany(budget: Budget): never {
  throw new GlobError(budget.pattern, budget.pattern.indexOf("{"), `braces expand to more than ${MAX_ALTERNATIVES}`);
}

/** The first `{` with its `}`; if the first has none, the leftmost pair inside it. */
function firstPair(budget: Budget, text: string): { open: number; close: number } | null {
  budget.steps += text.length;
  if (budget.steps > MAX_EXPANSION_STEPS) throw new GlobError(budget.pattern, 0, "braces take too many steps");
  const open: number[] = [];
  let best: { open: number; close: number } | null = null;
  for (let i = text.indexOf("{"); i >= 0 && i < text.length; i++) {
    if (text[i] === "{") open.push(i);
    if (text[i] !== "}") continue;
    const pair = { open: open.pop()!, close: i };
    if (open.length === 0) return pair;
    if (!best || pair.open < best.open) best = pair;
  }
  return best;
}

/** Whether a single comma follows, and after it a closing brace. */
function hasLaterOption(text: string): boolean {
  const last = text.lastIndexOf("}");
  for (let i = text.indexOf(","); i >= 0 && i < last; i = text.indexOf(",", i + 1)) {
    if (text[i + 1] !== ",") return true;
  }
  return false;
}

/** Whether some `{` is followed by a `}` with neither a `{` nor a line break between. */
function hasInnermostPair(pattern: string): boolean {
  return /\{[^{}\r\n\u2028\u2029]*\}/.test(pattern);
}

function restoreBraces(text: string): string {
  return text.replaceAll(PLAIN_OPEN, () => "{").replaceAll(PLAIN_CLOSE, () => "}");
}
