/**
 * Characters that no set of a pattern distinguishes form one class, so that an automaton's table is small. Classes are found as
 * characters occur: each is identified by the sets that contain it and by its properties for look-around.
 */
import { asciiOf, type CharSet, chars, has, NEWLINE } from "./char-set.ts";
import { PERL } from "./named-classes.ts";
import { type StepBudget, spendThreads } from "./step-budget.ts";

/** Properties of a neighbor for look-around. */
export const WORD = 1;
export const ASCII_WORD = 2;
export const LINE_END = 4;
/** A byte that is part of no character. */
export const INVALID = 8;
/** Nothing: the text starts or ends here. */
export const EDGE = 16;
export const RETURN = 32;
/** One more than all of them together. */
export const INFOS = 64;

const UNKNOWN = 0;
const BMP = 0x10000;
const wordSet = chars(PERL.w.unicode);
const asciiWord = asciiOf(chars(PERL.w.ascii));

export class Alphabet {
  /** By byte, for ASCII; 0 for bytes that start or continue a longer character, and for what has not occurred. */
  readonly ascii = new Uint16Array(256);
  /** By class, from 1: which sets have it, as bits of a byte array. */
  readonly members: Uint8Array[] = [new Uint8Array(0)];
  /** By class: its properties for a look from its right, and from its left. They differ for invalid bytes. */
  readonly toRight: number[] = [0];
  readonly toLeft: number[] = [0];
  readonly #sets: readonly CharSet[];
  readonly #looks: boolean;
  readonly #newlines: boolean;
  readonly #work: StepBudget;
  readonly #ids = new Map<string, number>();
  readonly #invalid = new Map<number, number>();
  #bmp: Uint16Array | undefined;
  readonly #astral = new Map<number, number>();

  /** `newlines`: sets may contain line endings. */
  constructor(sets: readonly CharSet[], looks: boolean, newlines: boolean, work: StepBudget) {
    this.#work = work;
    this.#sets = sets;
    this.#looks = looks;
    this.#newlines = newlines;
    this.#classifyAscii();
  }

  get size(): number {
    return this.members.length;
  }

  classOf(code: number): number {
    if (code < 0x80) return this.ascii[code] as number;
    if (code < BMP) {
      this.#bmp ??= new Uint16Array(BMP);
      const known = this.#bmp[code] as number;
      return known !== UNKNOWN ? known : (this.#bmp[code] = this.#classify(code));
    }
    let known = this.#astral.get(code);
    if (known === undefined) this.#astral.set(code, (known = this.#classify(code)));
    return known;
  }

  /**
   * A byte that is part of no character. From its right it has the properties that Rust sees there: of the last character, if it is
   * near enough.
   */
  invalid(toRight: number): number {
    let known = this.#invalid.get(toRight);
    if (known === undefined) {
      known = this.#intern(new Uint8Array(this.#sets.length), this.#looks ? toRight : 0, INVALID);
      this.#invalid.set(toRight, known);
    }
    return known;
  }

  #classifyAscii(): void {
    const tables = this.#sets.map(asciiOf);
    for (let code = 0; code < 0x80; code++) {
      const members = new Uint8Array(tables.length);
      if (code !== NEWLINE || this.#newlines)
        for (let i = 0; i < tables.length; i++) members[i] = (tables[i] as Uint8Array)[code] as number;
      const info = this.#looks ? characterInfo(code) : 0;
      this.ascii[code] = this.#intern(members, info, info);
    }
  }

  #classify(code: number): number {
    spendThreads(this.#work, this.#sets.length);
    const members = new Uint8Array(this.#sets.length);
    if (code !== NEWLINE || this.#newlines)
      for (const [i, set] of this.#sets.entries()) members[i] = has(set, code) ? 1 : 0;
    const info = this.#looks ? characterInfo(code) : 0;
    return this.#intern(members, info, info);
  }

  #intern(members: Uint8Array, toRight: number, toLeft: number): number {
    const key = `${toRight} ${toLeft} ${members.join("")}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.members.push(members) - 1;
      this.toRight.push(toRight);
      this.toLeft.push(toLeft);
      this.#ids.set(key, id);
    }
    return id;
  }
}

export function characterInfo(code: number): number {
  if (code === NEWLINE) return LINE_END;
  if (code === 0x0d) return RETURN;
  if (code < 0x80) return asciiWord[code] === 1 ? WORD | ASCII_WORD : 0;
  return has(wordSet, code) ? WORD : 0;
}
