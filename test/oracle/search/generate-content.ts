/** What is in a file: lines of words and samples, in every encoding and state of disrepair that ripgrep treats apart. */
import type { Random } from "../../support/random.ts";
import { words } from "./words.ts";

export type Content = { text: string } | { bytes: string };

export interface ContentOptions {
  /** Texts that the queries should find. */
  samples: readonly string[];
}

const WORDS = [
  ...words`
    foo bar abc foo_bar fooBar FOO TODO a1b2 ß straße STRASSE ÉTÉ été σς ΣΑΣ K k İi ı 日本 😀 x=1; $& a.b (x) [y] \n a|b ٣ ſs aaaa
    - __ # 0 θϑϴ ᲈꙋꙊ Ꭰꭰ ﬅﬆ ǆǅǄ 👩‍👩‍👧 𐐀𐐨 µμ Ωω ffﬀ ẞ ᾼᾳ
  `,
  ...["let x", "", "e\u0301", "\u00a0", "\u2028", "\u0085", "\u000b", "\ufeff", "\f", "\u200d", "\u00ad", "\u0345ι"],
  ...["Å\u00e5\u212b", "\u{10ffff}"],
];
const SEPARATORS = [" ", " ", " ", "", "\t", "; ", ", ", ".", "-", "\u00a0"];
const TINY = ["", "\n", "\r\n", "\n\n", "a", "\r", "a\r", "\ufeff", "\ufeff\n", " ", "\n\r\n", "a\n\n"];
/** No UTF-8: bytes that never occur, broken characters, surrogates, too long, out of range. */
const STRAY = [
  ...["\xff", "\xc3", "\xe2\x82", "\xed\xa0\x80", "\x80", "\xf0\x9f", "\xc0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x98"],
  ...["\xfe", "\xe0\x80\xaf", "\x80\x80", "\xf8\x88\x80\x80\x80", "\xbf", "\xce"],
];
/** ripgrep reads in blocks of this size. */
const BLOCK = 64 * 1024;

export function generateContent(random: Random, options: ContentOptions): Content {
  if (random.next() < 0.05) return { text: random.pick(TINY) };
  const text = generateText(random, options);
  return encoded(random.next() < 0.02 ? `${generateLine(random, options).repeat(200)}\n${text}` : text, random);
}

/** More than a block, in many lines or in one. */
export function generateLargeContent(random: Random, options: ContentOptions): Content {
  const [text, line] = [generateText(random, options), generateLine(random, options)];
  const filler = random.next() < 0.5 ? `${line}\n` : `${line} ok `;
  const size = BLOCK * random.pick([1, 1, 2, 4.5]) + random.between(-9, 9);
  return encoded(`${text}${filler.repeat(Math.ceil(size / filler.length)).slice(0, size)}${text}`, random);
}

function encoded(text: string, random: Random): Content {
  const [mark, stray, nul] = [random.next(), random.next() < 0.06, random.next() < 0.04];
  if (mark < 0.05) return { bytes: cut(utf16(nul ? spoiled(text, random, ["\0"]) : text, mark < 0.025), random) };
  const marked = mark < 0.1 ? `\ufeff${text}` : text;
  if (!stray && !nul) return { text: marked };
  const strange = stray ? spoiled(utf8(marked), random, STRAY) : utf8(marked);
  return { bytes: nul ? spoiled(strange, random, ["\0", "\0\0", "\n\0", "\0\n"]) : strange };
}

function generateText(random: Random, options: ContentOptions): string {
  const kind = random.next();
  const ending = () => (kind < 0.15 ? "\r\n" : kind < 0.2 ? random.pick(["\n", "\r\n", "\r"]) : "\n");
  let text = "";
  for (let left = random.between(1, 16); left > 0; left--) text += generateLine(random, options) + ending();
  return random.next() < 0.2 ? text.replace(/\r?\n$/, () => "") : text;
}

function generateLine(random: Random, { samples }: ContentOptions): string {
  if (random.next() < 0.1) return "";
  const separator = random.pick(SEPARATORS);
  const word = () => (samples.length > 0 && random.next() < 0.4 ? random.pick(samples) : random.pick(WORDS));
  return Array.from({ length: random.between(1, 6) }, word).join(separator);
}

/** One character per byte. */
export function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
}

/** With its byte order mark, one character per byte. */
export function utf16(text: string, littleEndian: boolean): string {
  return Array.from({ length: text.length + 1 }, (_, at) => {
    const unit = at === 0 ? 0xfeff : text.charCodeAt(at - 1);
    const [high, low] = [String.fromCharCode(unit >> 8), String.fromCharCode(unit & 0xff)];
    return littleEndian ? low + high : high + low;
  }).join("");
}

/** Now and then without a byte of it: half a unit at the end, or none is where it should be from there on. */
function cut(bytes: string, random: Random): string {
  if (random.next() < 0.8) return bytes;
  const at = random.next() < 0.5 ? bytes.length - 1 : random.between(2, bytes.length);
  return bytes.slice(0, at) + bytes.slice(at + 1);
}

/** Something foreign in one to three places. */
function spoiled(text: string, random: Random, foreign: readonly string[]): string {
  let result = text;
  for (let left = random.between(1, 3); left > 0; left--) {
    const at = random.between(0, result.length);
    result = result.slice(0, at) + random.pick(foreign) + result.slice(at);
  }
  return result;
}
