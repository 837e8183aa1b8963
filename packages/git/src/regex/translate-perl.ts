/**
 * Translates Perl's syntax to extended POSIX, as far as it can be matched in linear time: classes and escapes, groups with and
 * without names, lazy quantifiers (a line matches or not, whichever is tried first). Lookaround, back-references and atomic groups
 * are refused by name.
 */
import { RegexError } from "./parse-regex.ts";

interface TranslatedPerl {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  /** Of several matches that begin at the same position, Perl may choose another than the longest. */
  readonly extentsDiffer: boolean;
}

const CONTROLS: Readonly<Record<string, string>> = {
  t: "\t",
  n: "\n",
  r: "\r",
  f: "\f",
  e: "\x1b",
  a: "\x07",
  v: "\v",
};
const CLASSES: Readonly<Record<string, string>> = { d: "0-9", w: "[:alnum:]_", s: "[:space:]", h: " \t" };

export function translatePerl(pattern: string): TranslatedPerl {
  return new Translator(pattern).run();
}

class Translator {
  readonly #text: string;
  #at = 0;
  #out = "";
  #open = 0;
  #ignoreCase = false;
  #differs = false;
  /** Something precedes that can be repeated. */
  #repeatable = false;

  constructor(text: string) {
    this.#text = text;
  }

  run(): TranslatedPerl {
    while (this.#at < this.#text.length) this.#step();
    if (this.#open > 0) throw new RegexError("missing closing parenthesis");
    return { pattern: this.#out, ignoreCase: this.#ignoreCase, extentsDiffer: this.#differs };
  }

  #step(): void {
    const letter = this.#text[this.#at++] as string;
    if (letter === "\\") this.#escape();
    else if (letter === "[") this.#put(this.#bracket());
    else if (letter === "(") this.#group();
    else if (letter === ")") {
      if (this.#open-- === 0) throw new RegexError("unmatched closing parenthesis");
      this.#put(")");
    } else if (letter === "|") {
      this.#differs = true;
      this.#put("|", false);
    } else if (letter === "*" || letter === "+" || letter === "?") this.#quantifier(letter);
    else if (letter === "{") {
      const bounds = /^(\d+)(,\d*)?\}/.exec(this.#text.slice(this.#at))?.[0];
      if (bounds === undefined) this.#put("[{]");
      else {
        this.#at += bounds.length;
        this.#quantifier(`{${bounds}`);
      }
    } else if (letter === "^" || letter === "$") this.#put(letter, false);
    else this.#put(letter === "." ? "." : quote(letter));
  }

  #put(text: string, repeatable = true): void {
    this.#out += text;
    this.#repeatable = repeatable;
  }

  #quantifier(text: string): void {
    if (!this.#repeatable) throw new RegexError("quantifier does not follow a repeatable item");
    const next = this.#text[this.#at];
    if (next === "+") throw refused("a possessive quantifier");
    if (next === "?") {
      this.#at++;
      this.#differs = true;
    }
    this.#put(text, false);
  }

  #group(): void {
    const rest = this.#text.slice(this.#at);
    const comment = /^\?#[^)]*\)/.exec(rest)?.[0];
    if (comment !== undefined) {
      this.#at += comment.length;
      return;
    }
    if (rest.startsWith("?i)") && this.#out === "") {
      this.#ignoreCase = true;
      this.#at += 3;
      return;
    }
    const plain = /^\?(?::|P?<[A-Za-z_]\w*>|'[A-Za-z_]\w*')/.exec(rest)?.[0];
    if (plain !== undefined) this.#at += plain.length;
    else if (/^\?<?[=!]/.test(rest)) throw refused("looking ahead or behind");
    else if (/^[?*]/.test(rest)) throw refused(`(${rest.slice(0, 2)}`);
    this.#open++;
    this.#put("(", false);
  }

  #escape(): void {
    const letter = this.#text[this.#at++];
    if (letter === undefined) throw new RegexError("\\ at end of pattern");
    const set = Object.hasOwn(CLASSES, letter.toLowerCase()) ? CLASSES[letter.toLowerCase()] : undefined;
    if (set !== undefined) this.#put(`[${letter === letter.toLowerCase() ? "" : "^"}${set}]`);
    else if (letter === "b" || letter === "B") this.#put(`\\${letter}`, false);
    else if (letter === "Q") {
      const end = this.#text.indexOf("\\E", this.#at);
      const quoted = this.#text.slice(this.#at, end < 0 ? undefined : end);
      this.#at = end < 0 ? this.#text.length : end + 2;
      for (const one of quoted) this.#put(quote(one));
    } else if (letter !== "E") this.#put(quote(this.#character(letter)));
  }

  /** One character that was written with a backslash. */
  #character(letter: string): string {
    if (Object.hasOwn(CONTROLS, letter)) return CONTROLS[letter] as string;
    if (letter === "x") {
      const [all, wide, short] = /^(?:\{([0-9A-Fa-f]+)\}|([0-9A-Fa-f]{0,2}))/.exec(this.#text.slice(this.#at)) ?? [""];
      this.#at += (all ?? "").length;
      const code = Number.parseInt(wide ?? (short || "0"), 16);
      if (code > 0xff) throw refused("a character beyond \\xff: write it as it is");
      return String.fromCharCode(code);
    }
    if (/[1-9gk]/.test(letter)) throw refused("a back-reference");
    if (/[A-Za-z0]/.test(letter)) throw refused(`\\${letter}`);
    return letter;
  }

  /** The contents of brackets, reordered so that POSIX gives no character a special meaning. */
  #bracket(): string {
    let negated = false;
    if (this.#text[this.#at] === "^") {
      negated = true;
      this.#at++;
    }
    let items = "";
    const last = new Set<string>();
    let closing = false;
    for (let first = true; ; first = false) {
      const letter = this.#text[this.#at++];
      if (letter === undefined) throw new RegexError("missing terminating ] for character class");
      if (letter === "]" && !first) break;
      const named = letter === "[" ? /^:\^?\w+:\]/.exec(this.#text.slice(this.#at))?.[0] : undefined;
      if (named?.startsWith(":^")) throw refused("[:^…:]");
      if (named !== undefined) {
        items += `[${named}`;
        this.#at += named.length;
        continue;
      }
      const set = letter === "\\" ? this.#classInBracket() : null;
      if (set !== null) {
        items += set;
        continue;
      }
      const from = letter === "\\" ? this.#bracketEscape() : letter;
      const to = this.#rangeEnd();
      if (to !== null) items += classRange(from, to);
      else if (from === "]") closing = true;
      else if (from === "-" || from === "^" || from === "[") last.add(from);
      else items += from;
    }
    const tail = `${last.has("[") ? "[" : ""}${last.has("^") ? "^" : ""}${last.has("-") ? "-" : ""}`;
    // A caret alone is no negation only when it is not first.
    if (!negated && !closing && items === "" && tail.startsWith("^")) return tail === "^" ? "\\^" : "[-^]";
    return `[${negated ? "^" : ""}${closing ? "]" : ""}${items}${tail}]`;
  }

  #classInBracket(): string | null {
    const letter = this.#text[this.#at] ?? "";
    if (/[DWSH]/.test(letter)) throw refused(`\\${letter} within brackets`);
    if (!Object.hasOwn(CLASSES, letter)) return null;
    this.#at++;
    return CLASSES[letter] as string;
  }

  #bracketEscape(): string {
    const letter = this.#text[this.#at++];
    if (letter === undefined) throw new RegexError("missing terminating ] for character class");
    return letter === "b" ? "\b" : this.#character(letter);
  }

  #rangeEnd(): string | null {
    if (this.#text[this.#at] !== "-" || this.#text[this.#at + 1] === "]") return null;
    if (this.#text[this.#at + 1] === undefined) return null;
    // "[a-\d]": the hyphen is itself.
    if (this.#text[this.#at + 1] === "\\" && Object.hasOwn(CLASSES, this.#text[this.#at + 2] ?? "")) return null;
    this.#at++;
    const letter = this.#text[this.#at++] as string;
    return letter === "\\" ? this.#bracketEscape() : letter;
  }
}

function classRange(from: string, to: string): string {
  if (to < from) throw new RegexError("range out of order in character class");
  return `${from}-${to}`;
}

/** A brace or a backslash in brackets means itself, and so does anything else but a caret. */
function quote(letter: string): string {
  if (letter === "^" || letter === "\\") return `\\${letter}`;
  return /[.[\]{}()*+?$|]/.test(letter) ? `[${letter}]` : letter;
}

function refused(what: string): RegexError {
  return new RegexError(`${what} is not supported here, since it cannot be matched in linear time; use -E`);
}
