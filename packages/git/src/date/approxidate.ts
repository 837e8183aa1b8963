/** Parses informal dates: "yesterday", "2 weeks ago", "last monday at noon", "Jan 5", or anything that `parseDate` accepts. */

import { type DateFields, matchNumbers } from "./date-fields.ts";
import { MONTHS, matchWord, WEEKDAYS } from "./date-words.ts";
import { type LocalTime, toFields } from "./local-time.ts";
import { parseDate } from "./parse-date.ts";

interface ApproxDate {
  readonly seconds: number;
  /** Some part of the text was understood. */
  readonly understood: boolean;
}

export function approxidate(text: string, time: LocalTime): ApproxDate {
  const exact = parseDate(text, time);
  if (exact) return { seconds: exact.seconds, understood: true };
  const now = time.now();
  const today = toFields(now, time.offset(now));
  const fields = { ...today, year: -1, month: -1, day: -1 };
  const state: ApproxidateState = { fields, offset: time.offset(now), today, time, number: 0, touched: false };
  for (let at = 0; at < text.length; ) {
    const c = text[at] as string;
    if (/\d/.test(c)) {
      placeNumber(state);
      at = readDigits(state, text, at);
      state.touched = true;
    } else if (/[A-Za-z]/.test(c)) at = readWord(state, text, at);
    else at++;
  }
  placeNumber(state);
  return { seconds: settle(state, 0), understood: state.touched };
}

/** `--since` and the like never fail: a text that is not understood means now. */
export function approximateSeconds(text: string, time: LocalTime): number {
  return approxidate(text, time).seconds;
}

/** Parses the expiry of gc and reflogs: "never" is the beginning of time, "all" and "now" are its end. Null: invalid. */
export function parseExpiry(text: string, time: LocalTime): number | null {
  if (text === "never" || text === "false") return 0;
  if (text === "all" || text === "now") return Number.POSITIVE_INFINITY;
  const { seconds, understood } = approxidate(text, time);
  return understood ? seconds : null;
}

interface ApproxidateState {
  fields: DateFields;
  /** Of the moment the fields came from: summer time stays summer time, whatever month is put in, as C's mktime has it. */
  offset: number;
  readonly today: DateFields;
  readonly time: LocalTime;
  /** A number whose meaning the next word decides; 0: none. */
  number: number;
  touched: boolean;
}

/** A number nothing followed: a day, a month, or a year. */
function placeNumber(state: ApproxidateState): void {
  const { fields, number } = state;
  if (number === 0) return;
  state.number = 0;
  if (fields.day < 0 && number < 32) fields.day = number;
  else if (fields.month < 0 && number < 13) fields.month = number - 1;
  else if (fields.year < 1900) {
    if (number > 1969 && number < 2100) fields.year = number;
    else if (number > 69 && number < 100) fields.year = 1900 + number;
    else if (number < 38) fields.year = 2000 + number;
  }
}

function readDigits(state: ApproxidateState, text: string, at: number): number {
  const digits = /^\d+/.exec(text.slice(at))?.[0] as string;
  const many = matchNumbers(state.fields, text, at, state.time);
  if (many > 0) return at + many;
  if (!digits.startsWith("0") || digits.length <= 2) state.number = Math.min(Number(digits), 2 ** 31 - 1);
  return at + digits.length;
}

/** Fills missing fields from today and goes `back` this many seconds. */
function settle(state: ApproxidateState, back: number): number {
  const { fields, today, time } = state;
  if (fields.day < 0) fields.day = today.day;
  if (fields.month < 0) fields.month = today.month;
  // C counts years from 1900, and what is below that counts as not said.
  if (fields.year < 1900) {
    fields.year = today.year;
    if (fields.month > today.month) fields.year--;
  }
  const { year, month, day, hour, minute, second } = fields;
  const seconds = Date.UTC(year, month, day, hour, minute, second) / 1000 - state.offset * 60 - back;
  state.offset = time.offset(seconds);
  state.fields = toFields(seconds, state.offset);
  return seconds;
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const DAY = 24 * 3600;
const LENGTHS: readonly (readonly [string, number])[] = [
  ["seconds", 1],
  ["minutes", 60],
  ["hours", 3600],
  ["days", DAY],
  ["weeks", 7 * DAY],
];

const SPECIAL: Readonly<Record<string, (state: ApproxidateState) => void>> = {
  yesterday(state) {
    state.number = 0;
    settle(state, DAY);
  },
  noon: (state) => setHour(state, 12),
  midnight: (state) => setHour(state, 0),
  tea: (state) => setHour(state, 17),
  PM: (state) => setHalf(state, 12),
  AM: (state) => setHalf(state, 0),
  never(state) {
    state.number = 0;
    state.offset = state.time.offset(0);
    state.fields = toFields(0, state.offset);
  },
  now(state) {
    state.number = 0;
    settle(state, 0);
  },
};

/** The last time it was that hour. */
function setHour(state: ApproxidateState, hour: number): void {
  placeNumber(state);
  if (state.fields.hour < hour) settle(state, DAY);
  Object.assign(state.fields, { hour, minute: 0, second: 0 });
}

function setHalf(state: ApproxidateState, plus: number): void {
  const { fields, number } = state;
  state.number = 0;
  if (number) Object.assign(fields, { minute: 0, second: 0 });
  fields.hour = ((number || fields.hour) % 12) + plus;
}

function readWord(state: ApproxidateState, text: string, at: number): number {
  let end = at + 1;
  while (/[A-Za-z]/.test(text[end] ?? "")) end++;
  if (understand(state, text, at)) state.touched = true;
  return end;
}

function understand(state: ApproxidateState, text: string, at: number): boolean {
  for (const [i, name] of MONTHS.entries()) {
    if (matchWord(text, at, name) < 3) continue;
    state.fields.month = i;
    return true;
  }
  for (const [name, apply] of Object.entries(SPECIAL)) {
    if (matchWord(text, at, name) !== name.length) continue;
    apply(state);
    return true;
  }
  if (state.number === 0) {
    const spoken = NUMBERS.findIndex((name, i) => i > 0 && matchWord(text, at, name) === name.length);
    const number = spoken > 0 ? spoken : matchWord(text, at, "last") === 4 ? 1 : 0;
    state.number = number;
    return number > 0;
  }
  for (const [name, seconds] of LENGTHS) {
    if (matchWord(text, at, name) < name.length - 1) continue;
    settle(state, seconds * state.number);
    state.number = 0;
    return true;
  }
  for (const [i, name] of WEEKDAYS.entries()) {
    if (matchWord(text, at, name) < 3) continue;
    const difference = state.fields.weekday - i;
    const weeks = state.number - 1 + (difference <= 0 ? 1 : 0);
    state.number = 0;
    settle(state, (difference + 7 * weeks) * DAY);
    return true;
  }
  if (matchWord(text, at, "months") >= 5) {
    settle(state, 0);
    const month = state.fields.month - state.number;
    state.number = 0;
    state.fields.year += Math.floor(month / 12);
    state.fields.month = ((month % 12) + 12) % 12;
    return true;
  }
  if (matchWord(text, at, "years") >= 4) {
    settle(state, 0);
    state.fields.year -= state.number;
    state.number = 0;
    return true;
  }
  return false;
}
