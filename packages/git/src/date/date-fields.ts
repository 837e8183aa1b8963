/** Fields of a date during parsing, -1 while unknown, and the separated numbers that both parsers share. */
import { type Fields, type LocalTime, toFields } from "./local-time.ts";

export type DateFields = Fields;

const TEN_DAYS = 10 * 24 * 3600;

/** Seconds since 1970 of fields in UTC; null while something is missing or beyond 1970–2099. */
export function utcSeconds({ year, month, day, hour, minute, second }: DateFields): number | null {
  if (year < 1970 || year > 2099 || month < 0 || month > 11) return null;
  if (hour < 0 || minute < 0 || second < 0) return null;
  const seconds = Date.UTC(year, month, 1, hour, minute, second) / 1000 + (day - 1) * 86400;
  return seconds;
}

export function setTime(fields: DateFields, hour: number, minute: number, second: number): boolean {
  if (hour > 24 || minute >= 60 || second > 60 || hour < 0 || minute < 0 || second < 0) return false;
  Object.assign(fields, { hour, minute, second });
  return true;
}

/** `refuseFuture`: it must not be later than ten days from now. `year` -1: none was given. */
export function setDate(
  fields: DateFields,
  year: number,
  month: number,
  day: number,
  now: number,
  refuseFuture: boolean,
): boolean {
  if (month <= 0 || month > 12 || day <= 0 || day > 31) return false;
  const next = { ...fields, month: month - 1, day };
  if (year === -1) {
    if (!refuseFuture) {
      Object.assign(fields, { month: month - 1, day });
      return true;
    }
    next.year = toFields(now, 0).year;
  } else if (year >= 1970 && year < 2100) next.year = year;
  else if (year > 70 && year < 100) next.year = 1900 + year;
  else if (year >= 0 && year < 38) next.year = 2000 + year;
  else return false;
  if (!refuseFuture) {
    Object.assign(fields, { year: next.year, month: month - 1, day });
    return true;
  }
  const specified = utcSeconds(next);
  if (specified !== null && now + TEN_DAYS < specified) return false;
  Object.assign(fields, { month: month - 1, day });
  if (year !== -1) fields.year = next.year;
  return true;
}

/** "2005-04-07", "7.4.2005", "4/7/05", "12:30:00" at `at`; the length taken, or 0. */
export function matchNumbers(fields: DateFields, text: string, at: number, time: LocalTime): number {
  const pattern = /(\d+)([:./-])(\d+)(?:\2(\d+))?/y;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (!found) return 0;
  const separator = found[2] as string;
  const first = Number(found[1]);
  const second = Number(found[3]);
  const third = found[4] === undefined ? -1 : Number(found[4]);
  const { length } = found[0];
  if (separator === ":") {
    if (!setTime(fields, first, second, Math.max(third, 0))) return 0;
    const fraction = /^\.\d+/.exec(text.slice(at + length));
    return fraction && isDateKnown(fields) ? length + fraction[0].length : length;
  }
  const now = time.now();
  const asDate = (year: number, month: number, day: number, refuse: boolean) =>
    setDate(fields, year, month, day, now, refuse);
  if (first > 70 && (asDate(first, second, third, false) || asDate(first, third, second, false))) return length;
  // Month first, unless dots say that this is Europe.
  if (separator !== "." && asDate(third, first, second, true)) return length;
  if (asDate(third, second, first, true)) return length;
  if (separator === "." && asDate(third, first, second, true)) return length;
  return 0;
}

function isDateKnown({ year, month, day }: DateFields): boolean {
  return year !== -1 && month !== -1 && day !== -1;
}
