/**
 * Translates POSIX regular expressions, basic and extended with GNU's additions, to the engine's syntax (Rust's). Unsupported
 * syntax is refused: a backreference changes what matches and cannot be dropped.
 */
import { GrepUsageError } from "./parse-argv.ts";

const CLASSES: Readonly<Record<string, string>> = {
  alpha: "\\p{Alphabetic}",
  digit: "0-9",
  alnum: "\\p{Alphabetic}\\p{Nd}",
  upper: "\\p{Uppercase}",
  lower: "\\p{Lowercase}",
  space: "\\s",
  blank: " \\t",
  punct: "\\p{P}\\p{S}",
  cntrl: "\\p{Cc}",
  print: "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}",
  graph: "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}",
  xdigit: "0-9A-Fa-f",
};
/** After a backslash, in both syntaxes. */
const GNU: Readonly<Record<string, string>> = {
  w: "\\w",
  W: "\\W",
  s: "\\s",
  S: "\\S",
  b: "\\b",
  B: "\\B",
  "<": "\\b{start}",
  ">": "\\b{end}",
  "`": "\\A",
  "'": "\\z",
};

export function translatePosix(pattern: string, syntax: "basic" | "extended"): string {
  return new Translator(pattern, syntax === "extended").run();
}

class Translator {
  #at = 0;
  #out = "";
  /** The start of the last atom that a repetition would repeat; null if there is none. */
  #atom: number | null = null;
  #repeated = false;
  readonly #groups: number[] = [];

  constructor(
    readonly pattern: string,
    readonly extended: boolean,
  ) {}

  run(): string {
    while (this.#at < this.pattern.length) this.#step();
    if (this.#groups.length > 0) throw new GrepUsageError(this.extended ? "Unmatched ( or \\(" : "Unmatched ( or \\(");
    return this.#out;
  }

  #step(): void {
    const c = String.fromCodePoint(this.pattern.codePointAt(this.#at) as number);
    this.#at += c.length;
    if (c === "\\") return this.#escaped();
    if (c === "[") return this.#put(this.#bracket());
    if (c === ".") return this.#put(".");
    if (c === "^" && (this.extended || this.#startsHere())) return this.#anchor("^");
    if (c === "$" && (this.extended || this.#endsHere())) return this.#anchor("$");
    if (c === "*") return this.#repeat("*");
    if (this.extended && this.#operator(c)) return;
    this.#put(literal(c));
  }

  #escaped(): void {
    if (this.#at >= this.pattern.length) throw new GrepUsageError("Trailing backslash");
    const c = String.fromCodePoint(this.pattern.codePointAt(this.#at) as number);
    this.#at += c.length;
    if (/[1-9]/.test(c))
      throw new GrepUsageError("backreferences are not supported in the Worker's shell; it needs a container");
    if (Object.hasOwn(GNU, c)) return this.#put(GNU[c] as string);
    if (!this.extended && this.#operator(c)) return;
    this.#put(literal(c));
  }

  /** `+ ? | ( ) {`: bare in extended syntax, after a backslash in basic. */
  #operator(c: string): boolean {
    if (c === "+" || c === "?") this.#repeat(c);
    else if (c === "|") this.#branch();
    else if (c === "(") this.#open();
    else if (c === ")" && (this.#groups.length > 0 || !this.extended)) this.#close();
    else if (c === "{") return this.#interval();
    else return false;
    return true;
  }

  #put(text: string): void {
    this.#atom = this.#out.length;
    this.#repeated = false;
    this.#out += text;
  }

  /** GNU's extended syntax allows repeating an anchor, without effect; the engine's does not. */
  #anchor(text: string): void {
    this.#put(`(?:${text})`);
  }

  #branch(): void {
    this.#out += "|";
    this.#atom = null;
  }

  #open(): void {
    this.#groups.push(this.#out.length);
    this.#out += "(?:";
    this.#atom = null;
  }

  #close(): void {
    const start = this.#groups.pop();
    if (start === undefined) throw new GrepUsageError("Unmatched ) or \\)");
    this.#out += ")";
    this.#atom = start;
    this.#repeated = false;
  }

  /** With nothing to repeat, a star is literal. A second repetition repeats the first: `a*?` is not lazy here. */
  #repeat(mark: string): void {
    if (this.#atom === null) {
      if (this.extended) return;
      this.#put(literal(mark));
      return;
    }
    if (this.#repeated) this.#out = `${this.#out.slice(0, this.#atom)}(?:${this.#out.slice(this.#atom)})`;
    this.#out += mark;
    this.#repeated = true;
  }

  #interval(): boolean {
    const close = this.extended ? /^(\d{0,20})(,?)(\d{0,20})\}/ : /^(\d{0,20})(,?)(\d{0,20})\\\}/;
    const found = close.exec(this.pattern.slice(this.#at, this.#at + 50));
    const isCount = found !== null && (found[1] !== "" || found[2] !== "") && this.#atom !== null;
    if (!isCount) {
      if (!this.extended)
        throw new GrepUsageError(found === null ? "Unmatched \\{" : "Invalid preceding regular expression");
      return false;
    }
    this.#at += found[0].length;
    const [, from, comma, to] = found as unknown as [string, string, string, string];
    const max = comma === "" ? from : to;
    if (Number(from) > 32767 || Number(max) > 32767) throw new GrepUsageError("Regular expression too big");
    if (max !== "" && Number(from) > Number(max)) throw new GrepUsageError("Invalid content of \\{\\}");
    this.#repeat(`{${from === "" ? "0" : from}${comma}${to}}`);
    return true;
  }

  #startsHere(): boolean {
    return this.#atom === null || this.#out === "";
  }

  #endsHere(): boolean {
    const rest = this.pattern.slice(this.#at);
    return rest === "" || rest.startsWith("\\)") || rest.startsWith("\\|");
  }

  #bracket(): string {
    let out = "[";
    if (this.pattern[this.#at] === "^") {
      out += "^";
      this.#at++;
    }
    for (let first = true; ; first = false) {
      const c = this.pattern.codePointAt(this.#at);
      if (c === undefined) throw new GrepUsageError("Unmatched [, [^, [:, [., or [=");
      const text = String.fromCodePoint(c);
      if (text === "]" && !first) break;
      const named = text === "[" ? /^\[([:.=])(.*?)\1\]/.exec(this.pattern.slice(this.#at)) : null;
      if (named !== null) {
        this.#at += named[0].length;
        out += named[1] === ":" ? classNamed(named[2] as string) : bracketed(named[2] as string);
        continue;
      }
      this.#at += text.length;
      const to = /^-(?!\])(.)/su.exec(this.pattern.slice(this.#at))?.[1];
      if (to === undefined) {
        out += bracketed(text);
        continue;
      }
      if ((to.codePointAt(0) as number) < c) throw new GrepUsageError("Invalid range end");
      this.#at += 1 + to.length;
      out += `${bracketed(text)}-${bracketed(to)}`;
    }
    this.#at++;
    return `${out}]`;
  }
}

function classNamed(name: string): string {
  const found = CLASSES[name];
  if (found === undefined) throw new GrepUsageError("Invalid character class name");
  return found;
}

function literal(c: string): string {
  return /[\\.+*?()|[\]{}^$#&\-~]/.test(c) ? `\\${c}` : c;
}

function bracketed(c: string): string {
  return /[\\\]^[&~-]/.test(c) ? `\\${c}` : c;
}
