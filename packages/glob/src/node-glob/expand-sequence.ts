/**
 * Expands the sequence inside `{1..9}`, `{01..10..3}` or `{a..e..2}`. Numbers have the width of a zero-padded bound, letters are
 * ordered by character code, and a step of zero means one. Anything else is not a sequence.
 */
import { MAX_ALTERNATIVES } from "../limits.ts";

const NUMBERS = /^(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?$/;
const LETTERS = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d+))?$/;
const PADDED = /^-?0\d/;

/** Generates one value more than allowed, so that the caller detects the limit. */
export function expandSequence(body: string): { values: string[] } | null {
  const numbers = NUMBERS.exec(body);
  if (numbers) return { values: numberSequence(numbers[1]!, numbers[2]!, numbers[3]) };
  const letters = LETTERS.exec(body);
  if (!letters) return null;
  const codes = count(letters[1]!.charCodeAt(0), letters[2]!.charCodeAt(0), letters[3]);
  return { values: codes.map((code) => String.fromCharCode(code).replace("\\", () => "")) };
}

function numberSequence(from: string, to: string, step: string | undefined): string[] {
  const width = Math.max(from.length, to.length);
  const padded = PADDED.test(from) || PADDED.test(to) || PADDED.test(step ?? "");
  return count(Number.parseInt(from, 10), Number.parseInt(to, 10), step).map((value) => {
    if (!padded) return String(value);
    const sign = value < 0 ? "-" : "";
    return sign + String(Math.abs(value)).padStart(width - sign.length, "0");
  });
}

function count(from: number, to: number, step: string | undefined): number[] {
  const size = Math.max(Math.abs(Number.parseInt(step ?? "1", 10)), 1);
  const values: number[] = [];
  const direction = to < from ? -1 : 1;
  for (let value = from; values.length <= MAX_ALTERNATIVES; value += direction * size) {
    if (direction > 0 ? value > to : value < to) break;
    values.push(value);
  }
  return values;
}
