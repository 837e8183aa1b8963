/**
 * Edits a configuration file as git does: writes, replaces or removes one variable, and preserves every other byte. Texts are
 * binary strings (see `config-syntax.ts`); values and keys are ordinary text.
 */

import { GitError } from "../errors.ts";
import { encode } from "../text/bytes.ts";
import { type ConfigKey, parseConfigKey } from "./config-key.ts";
import { type ConfigPiece, parseConfig, toLatin1 } from "./config-syntax.ts";

export interface EditOptions {
  /** The file's name in errors. */
  readonly file: string;
  /** Only entries whose value passes are replaced or removed. */
  readonly match?: (value: string | null) => boolean;
  /** Replace or remove all that match, not just one. */
  readonly all?: boolean;
  /** Never replace: `--add`. */
  readonly add?: boolean;
}

/** More than one entry matches, or none where one is required: `git config` exits with 5. */
export class MultipleValuesError extends GitError {
  constructor(readonly count: number) {
    super("EINVAL", count === 0 ? "" : "cannot overwrite multiple values with a single value", {
      prefix: "error",
      exitCode: 5,
    });
  }
}

export function setConfigValue(text: string, key: string, value: string, options: EditOptions): string {
  const parsed = parseConfigKey(key);
  const { pieces, hits, sectionEnd } = locate(text, parsed, options);
  if (hits.length > 1 && !options.all) throw new MultipleValuesError(hits.length);
  const pair = formatPair(parsed.name, value);
  if (hits.length === 0) {
    // After the last entry of its last section, or in a new section at the end.
    const at = sectionEnd === null ? text.length : pieceEnd(text, pieces[sectionEnd] as ConfigPiece);
    const before = text.slice(0, at);
    const header = sectionEnd === null ? formatHeader(parsed.typedSection, parsed.subsection) : "";
    return lineEnded(before) + header + pair + text.slice(at);
  }
  return removePieces(text, pieces, hits, pair);
}

export function unsetConfigValue(text: string, key: string, options: EditOptions): string {
  const parsed = parseConfigKey(key);
  const { pieces, hits } = locate(text, parsed, options);
  if (hits.length === 0 || (hits.length > 1 && !options.all)) throw new MultipleValuesError(hits.length);
  const inSection = (piece: ConfigPiece) => piece.kind === "section" && sameSection(piece, parsed);
  return removePieces(text, pieces, hits, null, inSection);
}

interface VariableMatch {
  readonly pieces: ConfigPiece[];
  /** Indexes of the entries that match. */
  readonly hits: number[];
  /** Index of the last entry or header of the key's section; null: no such section. */
  readonly sectionEnd: number | null;
}

function locate(text: string, parsed: ConfigKey, options: EditOptions): VariableMatch {
  const pieces = parseConfig(text, `file ${options.file}`);
  const hits: number[] = [];
  let sectionEnd: number | null = null;
  let inside = false;
  for (const [i, piece] of pieces.entries()) {
    if (piece.kind === "section") inside = sameSection(piece, parsed);
    if (inside && (piece.kind === "section" || piece.kind === "entry")) sectionEnd = i;
    if (piece.kind !== "entry" || piece.key !== parsed.key || options.add) continue;
    if (!options.match || options.match(piece.value)) hits.push(i);
  }
  return { pieces, hits, sectionEnd };
}

function sameSection(piece: Extract<ConfigPiece, { kind: "section" }>, { section, subsection }: ConfigKey): boolean {
  const wanted = subsection === null ? section : `${section}.${subsection}`;
  return piece.dotted ? piece.section === wanted.toLowerCase() : piece.section === wanted;
}

/** Up to and including the newline of a section header's line. */
function pieceEnd(text: string, piece: ConfigPiece): number {
  return piece.end > 0 && text[piece.end - 1] !== "\n" && text[piece.end] === "\n" ? piece.end + 1 : piece.end;
}

function lineEnded(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** Removes entries and puts `pair` in the place of the last one; a section left empty and without a comment is removed too. */
function removePieces(
  text: string,
  pieces: readonly ConfigPiece[],
  hits: readonly number[],
  pair: string | null,
  inSection: (piece: ConfigPiece) => boolean = () => false,
): string {
  let result = "";
  let from = 0;
  for (let i = 0; i < hits.length; i++) {
    const piece = pieces[hits[i] as number] as ConfigPiece;
    let cut = { begin: piece.begin, end: piece.end };
    if (pair === null) {
      const section = emptiedSection(text, pieces, hits, i, inSection);
      if (section) {
        cut = section;
        i = section.last;
      }
    }
    let end = cut.begin;
    while (end > 0 && /[ \t\r\f\v]/.test(text[end - 1] as string)) end--;
    if (end > from) {
      const retained = text.slice(from, end);
      result += end > 0 && text[end - 1] !== "\n" ? `${retained}\n` : retained;
    }
    from = cut.end;
  }
  return result + (pair ?? "") + text.slice(from);
}

/** If hit `at` and those after it are all entries of their section, and there is no comment: the range to cut. */
function emptiedSection(
  text: string,
  pieces: readonly ConfigPiece[],
  hits: readonly number[],
  at: number,
  inSection: (piece: ConfigPiece) => boolean,
): { begin: number; end: number; last: number } | null {
  let first = hits[at] as number;
  let headed = false;
  for (; first > 0; first--) {
    const before = pieces[first - 1] as ConfigPiece;
    if (before.kind === "comment") return null;
    if (before.kind === "entry") {
      if (!headed) return null;
      break;
    }
    if (before.kind === "section") {
      if (!inSection(before)) break;
      headed = true;
    }
  }
  let last = at;
  let next = (hits[at] as number) + 1;
  for (; next < pieces.length; next++) {
    const piece = pieces[next] as ConfigPiece;
    if (piece.kind === "comment") return null;
    if (piece.kind === "section" && !inSection(piece)) break;
    if (piece.kind !== "entry") continue;
    if (hits[last + 1] !== next) return null;
    last++;
  }
  const begin = (pieces[first] as ConfigPiece).begin;
  return { begin, end: next < pieces.length ? (pieces[next] as ConfigPiece).begin : text.length, last };
}

export function formatHeader(section: string, subsection: string | null): string {
  if (subsection === null) return `[${binary(section)}]\n`;
  return `[${binary(section)} "${binary(subsection).replace(/["\\]/g, (c) => `\\${c}`)}"]\n`;
}

function formatPair(name: string, value: string): string {
  const quote = /^ | $|[;#]/.test(value) ? '"' : "";
  const escaped = binary(value).replace(/[\n\t"\\]/g, (c) => ({ "\n": "\\n", "\t": "\\t" })[c] ?? `\\${c}`);
  return `\t${name} = ${quote}${escaped}${quote}\n`;
}

function binary(text: string): string {
  return toLatin1(encode(text));
}
