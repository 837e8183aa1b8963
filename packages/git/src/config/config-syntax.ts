/**
 * Parses a configuration file into a list of tokens with offsets: reading uses the entries, editing needs the rest to preserve
 * every byte it does not change. Works on a "binary" string (one char per byte), so that offsets are bytes and invalid UTF-8 is
 * preserved.
 */

import { GitError } from "../errors.ts";
import { decode } from "../text/bytes.ts";

export type ConfigPiece = { begin: number; end: number } & (
  | { readonly kind: "space" | "comment" }
  /** `section`: "core" or "branch.Main"; `dotted` for the old `[branch.main]`, whose subsection is case-insensitive. */
  | { readonly kind: "section"; readonly section: string; readonly dotted: boolean }
  | { readonly kind: "entry"; readonly key: string; readonly value: string | null; readonly line: number }
);

export function toLatin1(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return text;
}

export function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** `name` is the file's name in an error: "file .git/config", "standard input". */
export function parseConfig(text: string, name: string): ConfigPiece[] {
  const pieces: ConfigPiece[] = [];
  const source = new ConfigSource(text);
  let section = "";
  let open: ConfigPiece | null = null;
  const begin = (piece: ConfigPiece) => {
    if (piece.kind === "space" && open?.kind === "space") return;
    if (open) open.end = piece.begin;
    open = piece;
    pieces.push(piece);
  };
  const bad = (): never => {
    throw new GitError("EINVAL", `bad config line ${source.line} in ${name}`);
  };
  for (;;) {
    const at = source.at;
    const c = source.next();
    if (c === "") break;
    // The "\r" of "\r\n" belongs to the token before it.
    if (isSpace(c)) begin({ kind: "space", begin: source.at - 1, end: at });
    else if (c === "#" || c === ";") {
      begin({ kind: "comment", begin: at, end: at });
      source.skipLine();
    } else if (c === "[") {
      const header = readHeader(source) ?? bad();
      section = header.section;
      begin({ kind: "section", begin: at, end: at, ...header });
    } else if (/[A-Za-z]/.test(c)) {
      const entry = readEntry(source, c) ?? bad();
      const line = source.line - (source.text[source.at - 1] === "\n" ? 1 : 0);
      const key = section === "" ? entry.name : `${section}.${entry.name}`;
      begin({ kind: "entry", begin: at, end: at, key, value: entry.value, line });
    } else bad();
  }
  if (open) (open as ConfigPiece).end = text.length;
  return pieces;
}

/** Characters with "\r\n" as one newline and without the byte-order mark, as git reads them. */
class ConfigSource {
  at: number;
  line = 1;

  constructor(readonly text: string) {
    this.at = text.startsWith("\xef\xbb\xbf") ? 3 : 0;
  }

  /** "" at the end. */
  next(): string {
    let c = this.text[this.at];
    if (c === undefined) return "";
    this.at++;
    if (c === "\r" && this.text[this.at] === "\n") {
      this.at++;
      c = "\n";
    }
    if (c === "\n") this.line++;
    return c;
  }

  /** The error is at the line that ends too early, and parsing stops there. */
  atLineEnd(): null {
    if (this.text[this.at - 1] === "\n") this.line--;
    return null;
  }

  /** Up to the newline, exclusive. */
  skipLine(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
  }
}

function readHeader(source: ConfigSource): { section: string; dotted: boolean } | null {
  let name = "";
  for (;;) {
    const c = source.next();
    if (c === "") return null;
    if (c === "]") return name === "" ? null : { section: name, dotted: name.includes(".") };
    if (isSpace(c)) return readSubsection(source, name, c);
    if (!isKeyChar(c) && c !== ".") return null;
    name += c.toLowerCase();
  }
}

function readSubsection(
  source: ConfigSource,
  name: string,
  first: string,
): { section: string; dotted: boolean } | null {
  let c = first;
  while (isSpace(c)) {
    if (c === "\n") return source.atLineEnd();
    c = source.next();
  }
  if (c !== '"') return null;
  let sub = "";
  for (;;) {
    c = source.next();
    if (c === '"') break;
    if (c === "\\") c = source.next();
    if (c === "\n" || c === "") return source.atLineEnd();
    sub += c;
  }
  if (source.next() !== "]") return null;
  return { section: `${name}.${fromUtf8(sub)}`, dotted: false };
}

function readEntry(source: ConfigSource, first: string): { name: string; value: string | null } | null {
  let name = first.toLowerCase();
  let c = source.next();
  while (c !== "" && isKeyChar(c)) {
    name += c.toLowerCase();
    c = source.next();
  }
  while (c === " " || c === "\t") c = source.next();
  if (c === "\n" || c === "") return { name, value: null };
  if (c !== "=") return null;
  const value = readValue(source);
  return value === null ? null : { name, value };
}

function readValue(source: ConfigSource): string | null {
  let value = "";
  let spaces = 0;
  let quoted = false;
  for (;;) {
    let c = source.next();
    if (c === "\n" || c === "") return quoted ? source.atLineEnd() : fromUtf8(value);
    if (isSpace(c) && !quoted) {
      if (value !== "") spaces++;
      continue;
    }
    if (!quoted && (c === ";" || c === "#")) {
      source.skipLine();
      continue;
    }
    // Blanks inside a value become spaces; trailing ones are dropped.
    value += " ".repeat(spaces);
    spaces = 0;
    if (c === "\\") {
      c = source.next();
      if (c === "\n") continue;
      const plain = escapes[c];
      if (plain === undefined) return null;
      value += plain;
    } else if (c === '"') quoted = !quoted;
    else value += c;
  }
}

const escapes: Record<string, string> = { t: "\t", b: "\b", n: "\n", "\\": "\\", '"': '"' };

function isSpace(c: string): boolean {
  return c === " " || c === "\t" || c === "\n" || c === "\r" || c === "\v" || c === "\f";
}

function isKeyChar(c: string): boolean {
  return /[0-9A-Za-z-]/.test(c);
}

function fromUtf8(binary: string): string {
  return /[\x80-\xff]/.test(binary) ? decode(fromLatin1(binary)) : binary;
}
