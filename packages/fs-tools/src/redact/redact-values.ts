/**
 * Redacts the values of variables and fields with secret names: `NAME=x`, `"name": "x"`, `?name=x`, `Header: x`, a YAML block, and
 * `name: NAME, value: x`. Understands the quotes of shells, JSON and TOML, also escaped ones.
 */
import { type CountSteps, isReference, REDACTED } from "./redacted.ts";
import { isSecretHeader, isSecretName, isWeakSecretName } from "./secret-names.ts";

const SIGN_SOURCE = String.raw`(?:\\{1,3})?["']?\]?\s{0,8}(?:=>|[:+]?=(?![=~])|:(?![:=]))`;
const NAME = new RegExp(String.raw`(?<![\w.-])[\w.-]+(?=${SIGN_SOURCE})`, "g");
const SIGN = new RegExp(String.raw`${SIGN_SOURCE}\s{0,8}`, "y");
const NOTHING = /^(?:true|false|null|undefined|none|yes|no)$/i;
/** How far a value may be from the name that makes it a secret. */
const PAIR_DISTANCE = 200;

export function redactValues(text: string, work: CountSteps): string {
  const parts: string[] = [];
  const quotes = new OpenQuotes(text);
  let from = 0;
  let pairEnd = -1;
  NAME.lastIndex = 0;
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    work(1);
    const found = { name: match[0], at: match.index, end: NAME.lastIndex };
    SIGN.lastIndex = found.end;
    const sign = SIGN.exec(text)?.[0] ?? "";
    const isPaired = found.at < pairEnd && /^value$/i.test(found.name);
    const kind = isPaired ? "strong" : secretKind(found.name, sign);
    if (kind === null) {
      if (
        /^(?:name|key)$/i.test(found.name) &&
        isSecretName(
          /^["']?([\w.-]{1,100})/.exec(text.slice(found.end + sign.length, found.end + sign.length + 102))?.[1] ?? "",
        )
      )
        pairEnd = found.end + sign.length + PAIR_DISTANCE;
      continue;
    }
    const start = startOfValue(text, found.end + sign.length, sign);
    const quote = quotes.at(found.at);
    const end =
      kind === "header" && sign.includes(":") && !closesName(sign)
        ? endOfHeader(text, found.at, start)
        : endOfValue(text, { name: found, sign, start, quote });
    NAME.lastIndex = Math.max(end, found.end);
    const value = text.slice(start, end);
    if (isReference(value) || (kind === "weak" ? /^\d{1,3}$/ : NOTHING).test(value)) continue;
    work(value.length);
    const shown = /^(["'])[\s\S]*\1$/.exec(value)?.[1] ?? /^["']/.exec(value)?.[0] ?? "";
    parts.push(text.slice(from, start), shown, REDACTED, shown);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

type NameKind = "strong" | "weak" | "header";

function secretKind(name: string, sign: string): NameKind | null {
  if (isSecretHeader(name)) return "header";
  if (isSecretName(name) || (sign.trim() === "=" && isSecretVariable(name))) return "strong";
  return sign.trim() === "=" && isWeakSecretName(name) ? "weak" : null;
}

/** `STRIPE_KEY=x`, but not `CACHE_KEY=x`. */
function isSecretVariable(name: string): boolean {
  const owner = /(?:^|_)([A-Z0-9]+)_KEY$/.exec(name.slice(-200))?.[1];
  return owner !== undefined && !ORDINARY_KEYS.has(owner);
}

const ORDINARY_KEYS = new Set([
  ...["PUBLIC", "PRIMARY", "FOREIGN", "SORT", "PARTITION", "CACHE", "GROUP", "INDEX", "ROW", "HASH", "SHARD", "MAP"],
  ...["IDEMPOTENCY", "TRANSLATION", "ROUTING", "OBJECT", "FILE", "KV", "UNIQUE", "LOOKUP"],
]);

/** Whether the name stood in quotes. */
function closesName(sign: string): boolean {
  return /^\\*["']/.test(sign);
}

/** Of `name: type = value`, the value. */
function startOfValue(text: string, at: number, sign: string): number {
  if (!sign.includes(":")) return at;
  TYPE.lastIndex = at;
  return TYPE.test(text) ? TYPE.lastIndex : at;
}

const TYPE = /\w{1,100}(?:\[\])?\s{0,4}=(?!=)\s{0,4}/y;

interface ValuePosition {
  name: { at: number; end: number };
  sign: string;
  start: number;
  /** The quote that is open at the name. */
  quote: string;
}

function endOfValue(text: string, { name, sign, start, quote }: ValuePosition): number {
  const rest = text.slice(start, start + 3);
  if (rest === '"""' || rest === "'''") return after(text, rest, start + 3);
  const escaped = /^\\{1,3}["']/.exec(text.slice(start, start + 4))?.[0];
  if (escaped !== undefined) return after(text, escaped, start + escaped.length);
  if (closesName(sign) && (rest[0] === "[" || rest[0] === "{")) return endOfBrackets(text, start);
  if (sign.includes(":") && !closesName(sign)) {
    const block = endOfBlock(text, name.at, start, sign);
    if (block !== null) return block;
  }
  const isOpen = quote !== "" && !closesName(sign);
  return isOpen || closesName(sign) ? endOf(QUOTED_VALUE, text, start) : endOf(SHELL_VALUE, text, start);
}

const QUERY_END = String.raw`(?:&(?![&\s]|[\w.-]+=)[^\s"'&;|]*)*`;
const QUOTED_VALUE = new RegExp(
  String.raw`\[redacted\]|"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|'[^']*(?:'|$)|[^\s"'&;|]*${QUERY_END}`,
  "y",
);
/** Pieces with and without quotes that are one word to a shell; a comma or bracket behind a quote ends it. */
const SHELL_VALUE = new RegExp(
  String.raw`\[redacted\]|(?:(?:"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|'[^']*(?:'|$))(?![,;:)}\]])|\\ |[^\s"'&;|\\]+|\\)*(?:"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|$)|'[^']*(?:'|$))?${QUERY_END}`,
  "y",
);

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start;
}

function after(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at < 0 ? text.length : at + what.length;
}

function endOfBrackets(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** `name: |` and `name:` at the end of a line: the lines below it that are indented more. */
function endOfBlock(text: string, nameAt: number, start: number, sign: string): number | null {
  BLOCK_SIGN.lastIndex = start;
  const isBlock = sign.includes("\n") || BLOCK_SIGN.test(text);
  if (!isBlock) return null;
  const lineStart = text.lastIndexOf("\n", nameAt) + 1;
  const before = text.slice(Math.max(lineStart, nameAt - 200), nameAt);
  if (!/^[\s-]*$/.test(before)) return null;
  let end = sign.includes("\n") ? text.lastIndexOf("\n", start - 1) + 1 : BLOCK_SIGN.lastIndex;
  let last = start;
  while (end < text.length) {
    const next = text.indexOf("\n", end);
    const lineEnd = next < 0 ? text.length : next;
    const line = text.slice(end, Math.min(lineEnd, end + 400));
    if (line.trim() !== "" && line.length - line.trimStart().length <= before.length) break;
    last = lineEnd;
    end = lineEnd + 1;
  }
  return last === start ? null : last;
}

const BLOCK_SIGN = /[|>][+-]?\d?[ \t]{0,8}\n/y;

/** A header ends at the quote before its name, or at the end of its line; a line that begins with a space continues it. */
function endOfHeader(text: string, nameStart: number, start: number): number {
  const before = text[nameStart - 1];
  if (before === '"' || before === "'") {
    const end = text.indexOf(before, start);
    return end < 0 ? text.length : end;
  }
  HEADER_END.lastIndex = start;
  const end = HEADER_END.exec(text);
  return end === null ? text.length : end.index;
}

const HEADER_END = /\n(?![ \t]+\S)/g;

/** Finds the quote that is open at an offset. Offsets must ascend. An apostrophe in a word opens none. */
class OpenQuotes {
  readonly #text: string;
  #at = 0;
  #open = "";

  constructor(text: string) {
    this.#text = text;
  }

  at(place: number): string {
    const text = this.#text;
    for (; this.#at < place; this.#at++) {
      const char = text[this.#at] as string;
      if (char === "\\") this.#at++;
      else if (this.#open !== "") this.#open = char === this.#open ? "" : this.#open;
      else if (char === '"' || (char === "'" && !/\w/.test(text[this.#at - 1] ?? ""))) this.#open = char;
    }
    return this.#open;
  }
}

/** `<password>x</password>`, `PASSWORD 'x'`, `IDENTIFIED BY 'x'`. */
export function redactStatements(text: string): string {
  let safe = text;
  if (safe.includes("</"))
    safe = safe.replace(ELEMENT, (whole, name: string, value: string) =>
      isSecretName(name) && !isReference(value) ? `<${name}>${REDACTED}</` : whole,
    );
  return safe.includes("'") ? safe.replace(SQL, (_, start: string) => `${start}'${REDACTED}'`) : safe;
}

const ELEMENT = /<([\w:.-]{1,100})>([^<]{1,4096})<\//g;
const SQL = /(\b(?:password|identified\s{1,4}by)\s{0,4}\(?\s{0,4})'(?!\[redacted\])[^']{1,4096}'/gi;
