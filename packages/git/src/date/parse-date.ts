/**
 * Parses a complete date, as in GIT_AUTHOR_DATE and `--date`: "@1700000000 +0100", "1700000000 +0100", RFC 2822, ISO 8601,
 * "2005.04.07 22:13:13". Skips unknown parts; a time of day and a date must result.
 */

import { type DateFields, matchNumbers, setDate, setTime, utcSeconds } from "./date-fields.ts";
import { MONTHS, matchWord, WEEKDAYS, ZONES } from "./date-words.ts";
import { fromLocalFields, type LocalTime, toFields } from "./local-time.ts";

interface ParsedDate {
  readonly seconds: number;
  /** Minutes east of Greenwich. */
  readonly offset: number;
}

interface DateState {
  readonly fields: DateFields;
  offset: number | null;
  /** The fields came from a count of seconds, and are in UTC whatever the zone. */
  absolute: boolean;
}

/** Null: no date. */
export function parseDate(text: string, time: LocalTime): ParsedDate | null {
  const header = /^@(\d+) ([+-])(\d{2})(\d{2})(?:\n|$)/.exec(text);
  if (header) {
    const minutes = Number(header[3]) * 60 + Number(header[4]);
    return { seconds: Number(header[1]), offset: header[2] === "-" ? -minutes || 0 : minutes };
  }
  const fields = { year: -1, month: -1, day: -1, hour: -1, minute: -1, second: -1, weekday: -1 };
  const state: DateState = { fields, offset: null, absolute: false };
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  for (let at = 0; at < line.length; ) {
    const c = line[at] as string;
    let length = 0;
    if (/[A-Za-z]/.test(c)) length = matchLetters(state, line, at);
    else if (/\d/.test(c)) length = matchDigits(state, line, at, time);
    else if (/[+-]\d/.test(line.slice(at, at + 2)) && fields.hour !== -1) length = matchZone(state, line, at);
    at += length || 1;
  }
  const seconds = utcSeconds(fields);
  if (seconds === null || seconds < 0) return null;
  const offset = state.offset ?? Math.round((seconds - fromLocalFields(time, fields)) / 60);
  return { seconds: state.absolute ? seconds : seconds - offset * 60, offset };
}

function matchLetters(state: DateState, text: string, at: number): number {
  const { fields } = state;
  for (const [i, name] of MONTHS.entries()) {
    const length = matchWord(text, at, name);
    if (length >= 3) {
      fields.month = i;
      return length;
    }
  }
  for (const [i, name] of WEEKDAYS.entries()) {
    const length = matchWord(text, at, name);
    if (length >= 3) {
      fields.weekday = i;
      return length;
    }
  }
  for (const [name, hours] of ZONES) {
    const length = matchWord(text, at, name);
    if (length < 3 && length !== name.length) continue;
    state.offset ??= hours * 60;
    return length;
  }
  if (matchWord(text, at, "PM") === 2) {
    fields.hour = (fields.hour % 12) + 12;
    return 2;
  }
  if (matchWord(text, at, "AM") === 2) {
    fields.hour %= 12;
    return 2;
  }
  return /^[A-Za-z]+/.exec(text.slice(at))?.[0].length ?? 1;
}

function matchDigits(state: DateState, text: string, at: number, time: LocalTime): number {
  const { fields } = state;
  const digits = /^\d+/.exec(text.slice(at))?.[0] as string;
  const number = Number(digits);
  const { length } = digits;
  if (number >= 100_000_000 && hasNothing(fields) && number < 2 ** 53) {
    Object.assign(fields, toFields(number, 0));
    state.absolute = true;
    return length;
  }
  const many = matchNumbers(fields, text, at, time);
  if (many > 0) return many;
  if (length === 8 || length === 6) {
    const [high, middle, low] = [Math.floor(number / 10000), Math.floor(number / 100) % 100, number % 100];
    if (length === 8) setDate(fields, high, middle, low, time.now(), false);
    else if (setTime(fields, high, middle, low)) {
      return length + (/^\.\d+/.exec(text.slice(at + length))?.[0].length ?? 0);
    }
    return length;
  }
  if (length === 4) {
    if (number <= 1400 && state.offset === null) state.offset = Math.floor(number / 100) * 60 + (number % 100);
    else if (number > 1900 && number < 2100) fields.year = number;
    return length;
  }
  if (length > 2) return length;
  if (number > 0 && number < 32 && fields.day < 0) fields.day = number;
  else if (length === 2 && fields.year < 0 && number < 10 && fields.day >= 0) fields.year = 2000 + number;
  else if (length === 2 && fields.year < 0 && number >= 70) fields.year = 1900 + number;
  else if (number > 0 && number < 13 && fields.month < 0) fields.month = number - 1;
  return length;
}

function hasNoDate({ year, month, day }: DateFields): boolean {
  return year < 0 && month < 0 && day < 0;
}

function hasNothing(fields: DateFields): boolean {
  return hasNoDate(fields) && fields.hour < 0 && fields.minute < 0 && fields.second < 0;
}

function matchZone(state: DateState, text: string, at: number): number {
  const [all = "", sign, digits = "", minuteText] = /^([+-])(\d+)(?::(\d+))?/.exec(text.slice(at)) ?? [];
  let hour = Number(digits);
  let minute = 0;
  let { length } = all;
  if (digits.length === 4) {
    minute = hour % 100;
    hour = Math.floor(hour / 100);
    length = 5;
  } else if (digits.length !== 2) {
    minute = 99;
    length = digits.length + 1;
  } else if (minuteText !== undefined) minute = minuteText.length === 2 ? Number(minuteText) : 99;
  if (minute < 60 && hour < 24) state.offset = (sign === "-" ? -1 : 1) * (hour * 60 + minute);
  return length;
}
