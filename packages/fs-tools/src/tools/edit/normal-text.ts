/**
 * A text in the normal form that a match strategy compares. Every character of the normal form maps to its range in the original,
 * so a match in one is an exact range of the other.
 */
import { finish, type Work } from "../../definition/work.ts";

export interface Normalization {
  /** Ignores a carriage return before a line feed. */
  readonly lineEndings: boolean;
  /** Ignores spaces and tabs at the end of a line. */
  readonly trailingSpace: boolean;
  /** Typographic quotes, dashes and spaces equal the plain ones; composed and decomposed letters are equal. */
  readonly unicode: boolean;
}

export class NormalText {
  readonly text: string;
  readonly #starts: Uint32Array;
  readonly #ends: Uint32Array;

  private constructor(builder: Builder) {
    this.text = builder.text();
    this.#starts = builder.starts;
    this.#ends = builder.ends;
  }

  static *of(original: string, rules: Normalization): Work<NormalText> {
    const builder = new Builder(original.length);
    let turn = 0;
    for (let at = 0; at < original.length; ) {
      at = builder.takePlain(original, at);
      if (at < original.length) at = builder.take(original, at, rules);
      if (at - turn < TURN_LENGTH) continue;
      yield at - turn;
      turn = at;
    }
    yield original.length - turn;
    return new NormalText(builder);
  }

  /** The range of the original for [start, end) of the normal form; null when an edge lies inside a composed character. */
  range(start: number, end: number): { start: number; end: number } | null {
    if (start >= end) return null;
    const splitsStart = start > 0 && this.#starts[start] === this.#starts[start - 1];
    const splitsEnd = end < this.text.length && this.#starts[end] === this.#starts[end - 1];
    if (splitsStart || splitsEnd) return null;
    return { start: this.#starts[start] as number, end: this.#ends[end - 1] as number };
  }
}

/** Normalizes a short text at once. */
export function normalText(original: string, rules: Normalization): NormalText {
  return finish(NormalText.of(original, rules));
}

const TURN_LENGTH = 65_536;

class Builder {
  starts: Uint32Array;
  ends: Uint32Array;
  readonly #parts: string[] = [];
  #length = 0;

  constructor(size: number) {
    this.starts = new Uint32Array(size + 16);
    this.ends = new Uint32Array(size + 16);
  }

  text(): string {
    return this.#parts.join("");
  }

  /** Consumes text that no rule can affect: visible ASCII followed by more of it. */
  takePlain(original: string, at: number): number {
    let end = at;
    while (end < original.length && isPlain(original.charCodeAt(end))) end++;
    // A combining mark that follows would belong to the last of them.
    if (end > at && original.charCodeAt(end) >= 0x300) end--;
    if (end === at) return at;
    if (this.#length + end - at > this.starts.length) this.#grow(end - at);
    for (let i = at; i < end; i++) {
      this.starts[this.#length] = i;
      this.ends[this.#length++] = i + 1;
    }
    this.#parts.push(original.slice(at, end));
    return end;
  }

  /** Consumes the text at `at`, and returns where the next starts. */
  take(original: string, at: number, rules: Normalization): number {
    const code = original.charCodeAt(at);
    if (code === CR && rules.lineEndings && original.charCodeAt(at + 1) === LF) return this.#put("\n", at, at + 2);
    if (rules.trailingSpace && isBlank(code, rules)) {
      const end = endOfBlanks(original, at, rules);
      const next = original.charCodeAt(end);
      if (end >= original.length || next === LF || (next === CR && original.charCodeAt(end + 1) === LF)) return end;
      // Between words: all but the last space, which a mark may follow, so that none of them is examined again.
      if (end - at > 1) return this.#putBlanks(original, at, end - 1, rules);
    }
    if (!rules.unicode) return this.#put(original[at] as string, at, at + 1);
    const end = endOfCluster(original, at);
    if (end === at + 1) return this.#put(PLAIN.get(code) ?? (original[at] as string), at, end);
    return this.#put(original.slice(at, end).normalize("NFC"), at, end);
  }

  #putBlanks(original: string, start: number, end: number, { unicode }: Normalization): number {
    for (let at = start; at < end; at++) {
      const own = original[at] as string;
      this.#put(unicode ? (PLAIN.get(own.charCodeAt(0)) ?? own) : own, at, at + 1);
    }
    return end;
  }

  #put(text: string, start: number, end: number): number {
    if (this.#length + text.length > this.starts.length) this.#grow(text.length);
    this.starts.fill(start, this.#length, this.#length + text.length);
    this.ends.fill(end, this.#length, this.#length + text.length);
    this.#length += text.length;
    this.#parts.push(text);
    return end;
  }

  #grow(by: number): void {
    const size = this.starts.length * 2 + by;
    for (const name of ["starts", "ends"] as const) {
      const more = new Uint32Array(size);
      more.set(this[name]);
      this[name] = more;
    }
  }
}

const CR = 13;
const LF = 10;

const PLAIN: ReadonlyMap<number, string> = new Map(
  (
    [
      ["\u2018\u2019\u201A\u201B\u2032\u02BC", "'"],
      ["\u201C\u201D\u201E\u201F\u2033\u00AB\u00BB", '"'],
      ["\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"],
      ["\u00A0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u202F\u205F\u3000", " "],
    ] as const
  ).flatMap(([characters, plain]) => [...characters].map((one): [number, string] => [one.charCodeAt(0), plain])),
);

export function isTypographic(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (PLAIN.has(text.charCodeAt(at))) return true;
  return false;
}

function isPlain(code: number): boolean {
  return code > 32 && code < 127;
}

function isBlank(code: number, { unicode }: Normalization): boolean {
  return code === 32 || code === 9 || (unicode && PLAIN.get(code) === " ");
}

function endOfBlanks(text: string, at: number, rules: Normalization): number {
  let end = at;
  while (end < text.length && isBlank(text.charCodeAt(end), rules)) end++;
  return end;
}

const MARK = /\p{M}/u;
/** The limit of Unicode's Stream-Safe Text Format: ordering marks takes quadratic time. */
const MAX_MARKS = 30;
const TOO_MANY_MARKS = new RegExp(`\\p{M}{${MAX_MARKS + 1}}`, "u");

/** Like `text.normalize(form)`, but returns a text unchanged if a letter has more marks than in any language. */
export function normalizeUnicode(text: string, form: "NFC" | "NFKC"): string {
  return TOO_MANY_MARKS.test(text) ? text : text.normalize(form);
}

/** The end of a character with its combining marks. */
function endOfCluster(text: string, at: number): number {
  const first = text.codePointAt(at) as number;
  let end = at + (first > 0xffff ? 2 : 1);
  for (let marks = 0; marks < MAX_MARKS && end < text.length; marks++) {
    const next = text.codePointAt(end) as number;
    if (next < 0x300 || !MARK.test(String.fromCodePoint(next))) break;
    end += next > 0xffff ? 2 : 1;
  }
  return end;
}
