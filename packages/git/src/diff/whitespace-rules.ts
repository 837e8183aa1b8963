/** `core.whitespace` and the attribute `whitespace`: what counts as an error, its position in a line, and its name. */
import { isSpace } from "@workspace/text";

export interface WhitespaceRules {
  readonly blankAtEol: boolean;
  readonly blankAtEof: boolean;
  readonly spaceBeforeTab: boolean;
  readonly indentWithNonTab: boolean;
  readonly tabInIndent: boolean;
  readonly crAtEol: boolean;
  readonly tabWidth: number;
}

type Rule = Exclude<keyof WhitespaceRules, "tabWidth">;

const NAMES: Readonly<Record<string, readonly Rule[]>> = {
  "blank-at-eol": ["blankAtEol"],
  "blank-at-eof": ["blankAtEof"],
  "trailing-space": ["blankAtEol", "blankAtEof"],
  "space-before-tab": ["spaceBeforeTab"],
  "indent-with-non-tab": ["indentWithNonTab"],
  "tab-in-indent": ["tabInIndent"],
  "cr-at-eol": ["crAtEol"],
};

const defaultWhitespaceRules: WhitespaceRules = {
  blankAtEol: true,
  blankAtEof: true,
  spaceBeforeTab: true,
  indentWithNonTab: false,
  tabInIndent: false,
  crAtEol: false,
  tabWidth: 8,
};

/** `attribute` true: every error except contradictory ones; false: none; text: as in the configuration. */
export function whitespaceRules(config: string | null, attribute?: string | boolean): WhitespaceRules {
  if (attribute === true) {
    return { ...defaultWhitespaceRules, indentWithNonTab: true, tabWidth: configuredRules(config).tabWidth };
  }
  if (attribute === false) {
    const off = { blankAtEol: false, blankAtEof: false, spaceBeforeTab: false };
    return { ...defaultWhitespaceRules, ...off, tabWidth: configuredRules(config).tabWidth };
  }
  return attribute === undefined ? configuredRules(config) : parse(attribute);
}

function configuredRules(config: string | null): WhitespaceRules {
  return config === null ? defaultWhitespaceRules : parse(config);
}

function parse(text: string): WhitespaceRules {
  const rules: Record<Rule, boolean> & { tabWidth: number } = { ...defaultWhitespaceRules };
  for (const word of text.split(/[, \t\n\r]+/)) {
    if (word === "") continue;
    const off = word.startsWith("-");
    const name = off ? word.slice(1) : word;
    const width = /^tabwidth=(\d+)$/.exec(name)?.[1];
    if (width !== undefined && Number(width) > 0 && Number(width) < 64) rules.tabWidth = Number(width);
    // An unambiguous prefix is enough.
    const full =
      Object.keys(NAMES).find((known) => known === name) ?? Object.keys(NAMES).find((known) => known.startsWith(name));
    for (const rule of full ? (NAMES[full] as readonly Rule[]) : []) rules[rule] = !off;
  }
  return rules;
}

/** "indent": correct whitespace at the start of the line, which is never colored. */
type LinePart = readonly [start: number, end: number, kind: "indent" | "error" | "text"];

export interface WhitespaceErrors {
  readonly found: ReadonlySet<Rule>;
  /** Parts of the line in order, without its line ending. */
  readonly parts: readonly LinePart[];
}

/** `line` may end in "\n". */
export function checkLine(line: Uint8Array, rules: WhitespaceRules): WhitespaceErrors {
  const found = new Set<Rule>();
  const parts: LinePart[] = [];
  const add = (...part: LinePart) => {
    if (part[1] > part[0]) parts.push(part);
  };
  let length = line.length;
  if (length > 0 && line[length - 1] === 10) length--;
  if (rules.crAtEol && length > 0 && line[length - 1] === 13) length--;
  let trailing = length;
  if (rules.blankAtEol) {
    while (trailing > 0 && isSpace(line[trailing - 1])) trailing--;
    if (trailing < length) found.add("blankAtEol");
  }
  let written = 0;
  let at = 0;
  for (; at < trailing; at++) {
    if (line[at] === 32) continue;
    if (line[at] !== 9) break;
    if (rules.spaceBeforeTab && written < at) {
      found.add("spaceBeforeTab");
      add(written, at, "error");
      add(at, at + 1, "indent");
    } else if (rules.tabInIndent) {
      found.add("tabInIndent");
      add(written, at, "indent");
      add(at, at + 1, "error");
    } else add(written, at + 1, "indent");
    written = at + 1;
  }
  if (rules.indentWithNonTab && at - written >= rules.tabWidth) {
    found.add("indentWithNonTab");
    add(written, at, "error");
    written = at;
  }
  add(written, trailing, "text");
  add(trailing, length, "error");
  return { found, parts };
}

/** Names that `--check` and `apply` use. */
export function describeErrors(found: ReadonlySet<Rule>): string {
  const words: string[] = [];
  if (found.has("blankAtEol")) words.push("trailing whitespace");
  else if (found.has("blankAtEof")) words.push("new blank line at EOF");
  if (found.has("spaceBeforeTab")) words.push("space before tab in indent");
  if (found.has("indentWithNonTab")) words.push("indent with spaces");
  if (found.has("tabInIndent")) words.push("tab in indent");
  return words.join(", ");
}
