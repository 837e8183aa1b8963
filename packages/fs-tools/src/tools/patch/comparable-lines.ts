/**
 * The lines of a file as numbers, equal lines having equal numbers, in four forms from exact to loose: as they are, without
 * trailing space, without outer space, in plain typography. A form is computed only if the stricter ones found nothing.
 */

import type { Work } from "../../definition/work.ts";
import { findNumbers } from "../../format/text-search.ts";
import { normalText } from "../edit/normal-text.ts";

const typography = (line: string) =>
  normalText(line.trim(), { lineEndings: false, trailingSpace: false, unicode: true }).text;
const FORMS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  typography,
];
const TRIMMED = 2;
const TURN_LINES = 4096;

interface Form {
  numbers: Int32Array;
  numberOf: Map<string, number>;
}

export class ComparableLines {
  readonly #lines: readonly string[];
  readonly #forms: Form[] = [];

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  /** The first place at or after `from` that has the wanted lines, in the strictest form; with `atEnd` only the end of the file. */
  *seek(wanted: readonly string[], from: number, atEnd: boolean): Work<number | null> {
    if (wanted.length === 0) return null;
    const last = this.#lines.length - wanted.length;
    if (last < from) return null;
    for (const form of FORMS.keys()) {
      const { numbers } = yield* this.#form(form);
      const pattern = yield* this.#pattern(form, wanted);
      // At least one line is not in the file.
      if (pattern.includes(NONE)) continue;
      let place: number | null = null;
      yield* findNumbers(numbers, pattern, atEnd ? last : from, (at) => {
        place = at;
        return false;
      });
      if (place !== null) return place;
    }
    return null;
  }

  *isAt(wanted: readonly string[], at: number): Work<boolean> {
    for (const form of FORMS.keys()) {
      const { numbers } = yield* this.#form(form);
      const pattern = yield* this.#pattern(form, wanted);
      if (pattern.every((number, i) => number === numbers[at + i])) return true;
    }
    return false;
  }

  /** The first wanted line that is missing at the place with the longest matching prefix. */
  *firstMissing(wanted: readonly string[], from: number): Work<string> {
    const { numbers } = yield* this.#form(TRIMMED);
    const longest = yield* findNumbers(numbers, yield* this.#pattern(TRIMMED, wanted), from, () => false);
    return wanted[Math.min(longest, wanted.length - 1)] ?? "";
  }

  *#form(index: number): Work<Form> {
    const known = this.#forms[index];
    if (known !== undefined) return known;
    const form: Form = { numbers: new Int32Array(this.#lines.length), numberOf: new Map() };
    const formOf = FORMS[index] as (line: string) => string;
    let length = 0;
    for (const [i, line] of this.#lines.entries()) {
      const key = formOf(line);
      let number = form.numberOf.get(key);
      if (number === undefined) form.numberOf.set(key, (number = form.numberOf.size));
      form.numbers[i] = number;
      length += line.length + 1;
      if (i % TURN_LINES < TURN_LINES - 1) continue;
      yield length;
      length = 0;
    }
    yield length;
    this.#forms[index] = form;
    return form;
  }

  *#pattern(index: number, wanted: readonly string[]): Work<Int32Array> {
    const { numberOf } = yield* this.#form(index);
    const formOf = FORMS[index] as (line: string) => string;
    yield wanted.length;
    return Int32Array.from(wanted, (line) => numberOf.get(formOf(line)) ?? NONE);
  }
}

const NONE = -1;
