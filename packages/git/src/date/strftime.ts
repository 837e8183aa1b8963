/** The C library's strftime in the C locale, with git's own `%z`, `%Z` and `%s`. */
import { MONTHS, WEEKDAYS } from "./date-words.ts";
import { type Fields, two, zoneText } from "./local-time.ts";

interface StrftimeMoment {
  readonly seconds: number;
  readonly minutes: number;
  /** Of the reader's zone: then `%Z` has a name, which is not known here. */
  readonly local: boolean;
}

export function strftime(format: string, at: Fields, moment: StrftimeMoment): string {
  const expand = (text: string): string =>
    text.replace(/%([EO_0^#-]?)([A-Za-z%+])/g, (all, flag: string, letter: string) => {
      const value = directives[letter]?.(at, moment, expand);
      if (value === undefined) return all;
      if (flag === "^") return value.toUpperCase();
      if (flag === "-") return value.replace(/^[0 ]+(?=.)/, "");
      if (flag === "_") return value.replace(/^0+(?=.)/, (zeros) => " ".repeat(zeros.length));
      return value;
    });
  return expand(format);
}

type Directive = (at: Fields, moment: StrftimeMoment, expand: (text: string) => string) => string;

const three = (number: number) => String(number).padStart(3, "0");
const space = (number: number) => String(number).padStart(2, " ");
const twelve = (hour: number) => ((hour + 11) % 12) + 1;

const directives: Readonly<Record<string, Directive>> = {
  "%": () => "%",
  a: ({ weekday }) => (WEEKDAYS[weekday] as string).slice(0, 3),
  A: ({ weekday }) => WEEKDAYS[weekday] as string,
  b: ({ month }) => (MONTHS[month] as string).slice(0, 3),
  B: ({ month }) => MONTHS[month] as string,
  c: (_at, _moment, expand) => expand("%a %b %e %H:%M:%S %Y"),
  C: ({ year }) => two(Math.floor(year / 100)),
  d: ({ day }) => two(day),
  D: (_at, _moment, expand) => expand("%m/%d/%y"),
  e: ({ day }) => space(day),
  F: (_at, _moment, expand) => expand("%Y-%m-%d"),
  g: (at) => two(isoWeek(at).year % 100),
  G: (at) => String(isoWeek(at).year),
  h: ({ month }) => (MONTHS[month] as string).slice(0, 3),
  H: ({ hour }) => two(hour),
  I: ({ hour }) => two(twelve(hour)),
  j: (at) => three(dayOfYear(at) + 1),
  k: ({ hour }) => space(hour),
  l: ({ hour }) => space(twelve(hour)),
  m: ({ month }) => two(month + 1),
  M: ({ minute }) => two(minute),
  n: () => "\n",
  p: ({ hour }) => (hour < 12 ? "AM" : "PM"),
  P: ({ hour }) => (hour < 12 ? "am" : "pm"),
  r: (_at, _moment, expand) => expand("%I:%M:%S %p"),
  R: (_at, _moment, expand) => expand("%H:%M"),
  s: (_at, { seconds }) => String(seconds),
  S: ({ second }) => two(second),
  t: () => "\t",
  T: (_at, _moment, expand) => expand("%H:%M:%S"),
  u: ({ weekday }) => String(weekday || 7),
  U: (at) => two(Math.floor((dayOfYear(at) + 7 - at.weekday) / 7)),
  V: (at) => two(isoWeek(at).week),
  w: ({ weekday }) => String(weekday),
  W: (at) => two(Math.floor((dayOfYear(at) + 7 - ((at.weekday + 6) % 7)) / 7)),
  x: (_at, _moment, expand) => expand("%m/%d/%y"),
  X: (_at, _moment, expand) => expand("%H:%M:%S"),
  y: ({ year }) => two(year % 100),
  Y: ({ year }) => String(year),
  z: (_at, { minutes }) => zoneText(minutes),
  Z: (_at, { local, minutes }) => (local && minutes === 0 ? "UTC" : ""),
};

/** From 0. */
function dayOfYear({ year, month, day }: Fields): number {
  return Math.round((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / 86_400_000);
}

function isoWeek(at: Fields): { year: number; week: number } {
  const weekday = (at.weekday + 6) % 7;
  const thursday = new Date(Date.UTC(at.year, at.month, at.day - weekday + 3));
  const year = thursday.getUTCFullYear();
  const days = Math.round((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000);
  return { year, week: Math.floor(days / 7) + 1 };
}
