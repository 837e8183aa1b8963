/** Parses one line of a .gitattributes: a pattern and its attributes, or the definition of a macro. */
import { unquotePath } from "../text/quote-path.ts";
import { wildmatch } from "../text/wildmatch.ts";

/** Set, unset, or set to a value. Unspecified is undefined. */
export type AttributeValue = true | false | string;

export interface AttributeState {
  readonly name: string;
  /** Undefined: "!name", back to unspecified. */
  readonly value: AttributeValue | undefined;
}

export interface AttributeLine {
  /** Of a macro: `[attr]name`. */
  readonly macro: string | null;
  readonly matches: ((path: string, isDirectory: boolean) => boolean) | null;
  readonly states: readonly AttributeState[];
}

const MAX_LINE = 2048;
const NAME = /^[-.\w]+$/;

export function isAttributeName(name: string): boolean {
  return NAME.test(name) && !name.startsWith("-");
}

interface ParseAttributesOptions {
  /** Its name in git's warnings. */
  source: string;
  /** The file's directory: "" or "dir/"; its patterns apply below it. */
  directory?: string;
  /** Only at the top, in info/attributes and in the user's file. */
  macros?: boolean;
  ignoreCase?: boolean;
  warn?: (text: string) => void;
  /** Receives lines that git prints without a prefix. */
  complain?: (text: string) => void;
}

export function parseAttributes(text: string, options: ParseAttributesOptions): AttributeLine[] {
  const { source, warn = () => {}, complain = () => {} } = options;
  const lines: AttributeLine[] = [];
  const content = text.startsWith("\ufeff") ? text.slice(1) : text;
  content.split("\n").forEach((raw, index) => {
    if (raw.length >= MAX_LINE) {
      warn(`ignoring overly long attributes line ${index + 1}`);
      return;
    }
    const line = parseLine(raw, options);
    // Of the complaints only one is a warning to git; the others are bare lines.
    if (typeof line === "string") {
      if (line === NEGATIVE) warn(line);
      else complain(`${line}: ${source}:${index + 1}`);
    } else if (line !== null) lines.push(line);
  });
  return lines;
}

const NEGATIVE = "Negative patterns are ignored in git attributes\nUse '\\!' for literal leading exclamation.";
const BLANK = " \t\r";

/** Null: an empty line; a text: the error. */
function parseLine(raw: string, options: ParseAttributesOptions): AttributeLine | string | null {
  let at = skip(raw, 0);
  if (at === raw.length || raw[at] === "#") return null;
  let pattern: string;
  const quoted = raw[at] === '"' ? unquotePath(raw, at) : null;
  if (quoted !== null) {
    pattern = quoted.value;
    at = quoted.end;
  } else {
    const start = at;
    while (at < raw.length && !BLANK.includes(raw[at] as string)) at++;
    pattern = raw.slice(start, at);
  }
  let macro: string | null = null;
  if (pattern.startsWith("[attr]") && pattern.length > 6) {
    if (!options.macros) return `${raw.slice(at - pattern.length).trimEnd()} not allowed`;
    macro = pattern.slice(6);
    if (!isAttributeName(macro)) return `${macro} is not a valid attribute name`;
  } else if (pattern === "[attr]") {
    const start = skip(raw, at);
    at = start;
    while (at < raw.length && !BLANK.includes(raw[at] as string)) at++;
    macro = raw.slice(start, at);
    if (!options.macros) return `[attr]${macro} not allowed`;
    if (!isAttributeName(macro)) return `${macro} is not a valid attribute name`;
  }
  const states: AttributeState[] = [];
  for (at = skip(raw, at); at < raw.length; at = skip(raw, at)) {
    const start = at;
    while (at < raw.length && !BLANK.includes(raw[at] as string)) at++;
    const state = parseState(raw.slice(start, at));
    if (typeof state === "string") return `${state} is not a valid attribute name`;
    states.push(state);
  }
  if (macro !== null) return { macro, matches: null, states };
  if (pattern.startsWith("!")) return NEGATIVE;
  return { macro, matches: compilePattern(pattern, options), states };
}

function skip(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANK.includes(text[at] as string)) at++;
  return at;
}

function parseState(word: string): AttributeState | string {
  const sign = word[0];
  const equals = word.indexOf("=");
  const signed = sign === "-" || sign === "!";
  const name = signed ? word.slice(1, equals < 0 ? undefined : equals) : equals < 0 ? word : word.slice(0, equals);
  if (!isAttributeName(name)) return name;
  if (signed) return { name, value: sign === "-" ? false : undefined };
  return { name, value: equals < 0 ? true : word.slice(equals + 1) };
}

/** As an ignore pattern: without a slash it matches the name, else the path below the file's directory. */
function compilePattern(written: string, { directory = "", ignoreCase = false }: ParseAttributesOptions) {
  const mustBeDirectory = written.endsWith("/");
  const pattern = mustBeDirectory ? written.slice(0, -1) : written;
  const byName = !pattern.includes("/");
  const anchored = pattern.startsWith("/") ? pattern.slice(1) : pattern;
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const isPlain = !/[*?[\\]/.test(anchored);
  const suffix = byName && /^\*[^*?[\\]*$/.test(anchored) ? fold(anchored.slice(1)) : null;
  return (path: string, isDirectory: boolean): boolean => {
    if (mustBeDirectory && !isDirectory) return false;
    if (directory !== "" && !path.startsWith(directory)) return false;
    const subject = byName ? path.slice(path.lastIndexOf("/") + 1) : path.slice(directory.length);
    if (suffix !== null) return fold(subject).endsWith(suffix);
    if (isPlain) return fold(subject) === fold(anchored);
    return wildmatch(anchored, subject, { pathname: !byName, ignoreCase });
  };
}
