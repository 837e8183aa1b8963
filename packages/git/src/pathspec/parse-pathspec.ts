/** Pathspecs from the command line: magic in its long and short form, the four variables of the environment, and the prefix put before them. */
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { pathInTree } from "../text/relative-path.ts";
import { type AttributeTest, parseAttributeTests } from "./attribute-test.ts";

export interface PathspecItem {
  /** As it was given. */
  readonly original: string;
  /** From the top of the work tree. */
  readonly match: string;
  /** How much of `match` is the prefix that was put before it, which no case-folding touches. */
  readonly prefixLength: number;
  /** Length of `match` before its first wildcard; the whole length if it is literal. */
  readonly literalLength: number;
  readonly top: boolean;
  readonly literal: boolean;
  readonly icase: boolean;
  readonly glob: boolean;
  readonly exclude: boolean;
  readonly attributes: readonly AttributeTest[];
}

export interface ParsePathspecOptions {
  /** The meaning of no pathspec, or only excluding ones: the whole tree, or the command's directory. */
  prefer?: "full" | "cwd";
  /** As `--literal-pathspecs`: every one is a plain path (`git mv`, `--pathspec-from-file` do not set it). */
  literal?: boolean;
}

type PathspecContext = Pick<Repository, "prefix" | "workTree" | "env">;

export function parsePathspecItems(
  position: PathspecContext,
  input: readonly string[],
  options: ParsePathspecOptions = {},
): PathspecItem[] {
  const { prefix } = position;
  const { prefer = "full" } = options;
  if (input.length === 0) return prefer === "cwd" && prefix !== "" ? [everything(prefix)] : [];
  const global = globalMagic(position, options);
  const items = input.map((text) => parseItem(position, text, global));
  if (items.every(({ exclude }) => exclude)) items.push(everything(prefer === "cwd" ? prefix : ""));
  return items;
}

interface Magic {
  top: boolean;
  literal: boolean;
  icase: boolean;
  glob: boolean;
  exclude: boolean;
  attributes: AttributeTest[];
  /** `prefix:N`, which git passes to its child processes. */
  prefixLength?: number;
}

function globalMagic(
  { env }: PathspecContext,
  { literal = false }: ParsePathspecOptions,
): { literal: boolean; glob: boolean; noGlob: boolean; icase: boolean } {
  const on = (name: string) => isOn(env[name]);
  const global = {
    literal: literal || on("GIT_LITERAL_PATHSPECS"),
    glob: on("GIT_GLOB_PATHSPECS"),
    noGlob: on("GIT_NOGLOB_PATHSPECS"),
    icase: on("GIT_ICASE_PATHSPECS"),
  };
  if (global.glob && global.noGlob) {
    throw new GitError("EINVAL", "global 'glob' and 'noglob' pathspec settings are incompatible");
  }
  if (global.literal && (global.glob || global.noGlob || global.icase)) {
    throw new GitError(
      "EINVAL",
      "global 'literal' pathspec setting is incompatible with all other global pathspec settings",
    );
  }
  return global;
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:true|yes|on|[+-]?0*[1-9]\d*)$/i.test(value);
}

function everything(prefix: string): PathspecItem {
  return {
    original: prefix,
    match: prefix,
    prefixLength: prefix.length,
    literalLength: prefix.length,
    top: false,
    literal: false,
    icase: false,
    glob: false,
    exclude: false,
    attributes: [],
  };
}

function parseItem(position: PathspecContext, text: string, global: ReturnType<typeof globalMagic>): PathspecItem {
  if (text === "") {
    throw new GitError(
      "EINVAL",
      "empty string is not a valid pathspec. please use . instead if you meant to match all paths",
    );
  }
  const magic: Magic = { top: false, literal: false, icase: false, glob: false, exclude: false, attributes: [] };
  const rest =
    text[0] !== ":" || global.literal ? text : text[1] === "(" ? longMagic(text, magic) : shortMagic(text, magic);
  if (magic.literal && magic.glob) throw new GitError("EINVAL", `${text}: 'literal' and 'glob' are incompatible`);
  const literal = magic.literal || global.literal || (global.noGlob && !magic.glob);
  const glob = !literal && (magic.glob || global.glob);
  const prefix = magic.top ? "" : position.prefix;
  const match = placed(position, prefix, rest, text);
  const prefixLength = magic.prefixLength ?? commonPrefix(prefix, match);
  const wildcard = literal ? -1 : match.search(/[*?[\\]/);
  return {
    ...magic,
    original: text,
    match,
    prefixLength,
    literalLength: wildcard < 0 ? match.length : Math.max(wildcard, prefixLength),
    literal,
    glob,
    icase: magic.icase || global.icase,
  };
}

/** The path from the top of the work tree; an absolute one must be inside of it. */
function placed({ workTree }: PathspecContext, prefix: string, path: string, original: string): string {
  const inside = pathInTree({ prefix, workTree }, path);
  if (inside === null)
    throw new GitError("EINVAL", `${original}: '${path}' is outside repository at '${workTree ?? ""}'`);
  return inside;
}

/** "../x" drops part of the prefix. */
function commonPrefix(prefix: string, match: string): number {
  if (match.startsWith(prefix)) return prefix.length;
  let common = 0;
  for (let i = 0; i < prefix.length && prefix[i] === match[i]; i++) if (prefix[i] === "/") common = i + 1;
  return common;
}

function longMagic(text: string, magic: Magic): string {
  let at = 2;
  for (;;) {
    while (text[at] === ",") at++;
    if (text[at] === ")") return text.slice(at + 1);
    const end = endOfWord(text, at);
    if (end < 0) throw new GitError("EINVAL", `Missing ')' at the end of pathspec magic in '${text}'`);
    takeWord(text.slice(at, end), text, magic);
    at = end;
  }
}

/** A comma may be quoted by a backslash, in attribute values. */
function endOfWord(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === "," || text[at] === ")") return at;
  }
  return -1;
}

function takeWord(word: string, text: string, magic: Magic): void {
  if (word === "") return;
  if (word === "top" || word === "literal" || word === "icase" || word === "glob" || word === "exclude") {
    magic[word] = true;
    return;
  }
  if (word.startsWith("attr:")) {
    if (magic.attributes.length > 0) throw new GitError("EINVAL", "Only one 'attr:' specification is allowed.");
    magic.attributes = parseAttributeTests(word.slice(5));
    return;
  }
  const [, length] = /^prefix:(\d+)$/.exec(word) ?? [];
  if (length !== undefined) {
    magic.prefixLength = Number(length);
    return;
  }
  throw new GitError("EINVAL", `Invalid pathspec magic '${word}' in '${text}'`);
}

/** Punctuation that git reserves for future magic. */
const RESERVED = /[!"#%&',\-/:;<=>@_`~]/;

function shortMagic(text: string, magic: Magic): string {
  let at = 1;
  for (; at < text.length && text[at] !== ":"; at++) {
    const char = text[at] as string;
    if (char === "!" || char === "^") magic.exclude = true;
    else if (char === "/") magic.top = true;
    else if (!RESERVED.test(char)) break;
    else throw new GitError("EINVAL", `Unimplemented pathspec magic '${char}' in '${text}'`);
  }
  return text.slice(text[at] === ":" ? at + 1 : at);
}
