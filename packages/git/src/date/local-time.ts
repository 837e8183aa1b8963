/**
 * Converts between moments and calendar fields in a zone, without the machine's own zone: a Durable Object has none. `TZ`
 * in the environment takes precedence over the host's zone; a name is looked up with Intl, "ABC-3" is parsed by POSIX
 * rules.
 */
import type { GitHost } from "../host.ts";

export interface Fields {
  year: number;
  /** 0–11. */
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0 is Sunday. */
  weekday: number;
}

export interface LocalTime {
  /** Seconds since 1970. */
  now(): number;
  /** Minutes east of Greenwich at a moment. */
  offset(seconds: number): number;
}

export function localTime(host: Pick<GitHost, "now" | "timezone">, env: Readonly<Record<string, string>>): LocalTime {
  const pinned = env.GIT_TEST_DATE_NOW;
  const zone = env.TZ ? parseZone(env.TZ) : null;
  return {
    now: () => (pinned ? Number(pinned) : Math.floor(host.now() / 1000)),
    offset: (seconds) => (zone ? zone(seconds) : (host.timezone?.(seconds) ?? 0)),
  };
}

/** The zone of a moment as written in commits: "+0200". */
export function zoneText(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}${two(size % 60)}`;
}

/** Minutes of "+0230"; nonsense is taken by its digits, as git does. */
export function zoneMinutes(zone: string): number {
  const number = Number.parseInt(zone, 10) || 0;
  const size = Math.abs(number);
  const minutes = Math.floor(size / 100) * 60 + (size % 100);
  return number < 0 ? -minutes : minutes;
}

export function toFields(seconds: number, minutes: number): Fields {
  const date = new Date((seconds + minutes * 60) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
  };
}

/** C's mktime: fields may be out of range, and are local. */
export function fromLocalFields(time: LocalTime, fields: Omit<Fields, "weekday">): number {
  const { year, month, day, hour, minute, second } = fields;
  const asUtc = Date.UTC(year, month, day, hour, minute, second) / 1000;
  let seconds = asUtc - time.offset(asUtc) * 60;
  // Once more, for a moment near a change of the clock.
  seconds = asUtc - time.offset(seconds) * 60;
  return seconds;
}

function parseZone(name: string): ((seconds: number) => number) | null {
  const zone = name.replace(/^:/, "");
  if (zone === "" || /^(UTC|GMT)0?$/i.test(zone)) return () => 0;
  const [, sign, hours, minutes] = /^(?:[A-Za-z]{3,}|<[^>]+>)([+-]?)(\d{1,2})(?::(\d{2}))?$/.exec(zone) ?? [];
  if (hours !== undefined) {
    // POSIX counts west of Greenwich.
    const west = Number(hours) * 60 + Number(minutes ?? 0);
    return () => (sign === "-" ? west : -west || 0);
  }
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    return (seconds) => intlOffset(format, seconds);
  } catch {
    // The C library treats an unknown name as UTC.
    return () => 0;
  }
}

function intlOffset(format: Intl.DateTimeFormat, seconds: number): number {
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(new Date(seconds * 1000))) part[type] = Number(value);
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Math.round((Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - seconds) / 60);
}

export function two(number: number): string {
  return String(number).padStart(2, "0");
}
