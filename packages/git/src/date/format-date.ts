/** Dates as git prints them: `--date=default|iso|iso-strict|rfc|short|raw|unix|relative|human|format:…`, each with `-local`. */
import { GitError } from "../errors.ts";
import { MONTHS, WEEKDAYS } from "./date-words.ts";
import { type Fields, type LocalTime, toFields, two, zoneText } from "./local-time.ts";
import { strftime } from "./strftime.ts";

export interface DateMode {
  readonly kind:
    | "normal"
    | "relative"
    | "human"
    | "iso8601"
    | "iso8601-strict"
    | "rfc2822"
    | "short"
    | "raw"
    | "unix"
    | "strftime";
  /** In the reader's zone, not the writer's. */
  readonly local?: boolean;
  /** For "strftime". */
  readonly format?: string;
}

/** Parses the value of `--date=` and of `log.date`. */
export function parseDateMode(text: string): DateMode {
  if (text.startsWith("auto:")) return { kind: "normal" };
  const format = /^format(-local)?:(.*)$/s.exec(text);
  if (format) return { kind: "strftime", local: format[1] !== undefined, format: format[2] as string };
  const [, name = "", local] = /^(.*?)(-local)?$/s.exec(text) ?? [];
  if (text === "local") return { kind: "normal", local: true };
  const kind = KINDS[name];
  if (kind === undefined) {
    if (text === "format" || text === "format-local")
      throw new GitError("EINVAL", `date format missing colon separator: ${text}`);
    throw new GitError("EINVAL", `unknown date format ${text}`);
  }
  return { kind, local: local !== undefined };
}

const KINDS: Readonly<Record<string, DateMode["kind"]>> = {
  relative: "relative",
  iso8601: "iso8601",
  iso: "iso8601",
  "iso8601-strict": "iso8601-strict",
  "iso-strict": "iso8601-strict",
  rfc2822: "rfc2822",
  rfc: "rfc2822",
  short: "short",
  default: "normal",
  human: "human",
  raw: "raw",
  unix: "unix",
};

/** Beyond this there is no day to tell. */
const MAX_SECONDS = 8.64e12 - 86_400;

/** `offset` is the writer's, in minutes east of Greenwich. */
export function formatDate(seconds: number, offset: number, mode: DateMode, time: LocalTime): string {
  const { kind, local = false } = mode;
  if (kind === "unix") return String(seconds);
  const minutes = local ? time.offset(seconds) : offset;
  if (kind === "raw") return `${seconds} ${zoneText(minutes)}`;
  if (kind === "relative") return relativeDate(seconds, time.now());
  if (seconds > MAX_SECONDS) return formatDate(0, 0, { ...mode, local: false }, time);
  const at = toFields(seconds, minutes);
  const clock = `${two(at.hour)}:${two(at.minute)}:${two(at.second)}`;
  const day = `${String(at.year).padStart(4, "0")}-${two(at.month + 1)}-${two(at.day)}`;
  switch (kind) {
    case "short":
      return day;
    case "iso8601":
      return `${day} ${clock} ${zoneText(minutes)}`;
    case "iso8601-strict": {
      const zone = zoneText(minutes);
      return `${day}T${clock}${zone.slice(0, 3)}:${zone.slice(3)}`;
    }
    case "rfc2822":
      return `${weekday(at)}, ${at.day} ${month(at)} ${at.year} ${clock} ${zoneText(minutes)}`;
    case "strftime":
      return strftime(mode.format ?? "", at, { seconds, minutes, local });
    case "human":
      return humanDate(seconds, at, minutes, local, time);
    case "normal":
      return `${weekday(at)} ${month(at)} ${at.day} ${clock} ${at.year}${local ? "" : ` ${zoneText(minutes)}`}`;
    default:
      return kind satisfies never;
  }
}

function weekday(at: Fields): string {
  return (WEEKDAYS[at.weekday] as string).slice(0, 3);
}

function month(at: Fields): string {
  return (MONTHS[at.month] as string).slice(0, 3);
}

/** Less of the date the nearer it is: "2 hours ago", "Mon 10:00", "Jan 5 10:00", "Jan 5 2019". */
function humanDate(seconds: number, at: Fields, minutes: number, local: boolean, time: LocalTime): string {
  const moment = time.now();
  const nowOffset = time.offset(moment);
  const now = toFields(moment, nowOffset);
  const sameYear = at.year === now.year;
  const sameMonth = sameYear && at.month === now.month;
  if (sameMonth && at.day === now.day) return relativeDate(seconds, moment);
  const recent = sameMonth && at.day < now.day && at.day + 5 > now.day;
  if (!sameYear) return `${month(at)} ${at.day} ${at.year}`;
  const date = recent ? "" : `${month(at)} ${at.day} `;
  const zone = !recent || local || minutes === nowOffset ? "" : ` ${zoneText(minutes)}`;
  return `${weekday(at)} ${date}${two(at.hour)}:${two(at.minute)}${zone}`;
}

function relativeDate(seconds: number, now: number): string {
  if (now < seconds) return "in the future";
  let difference = now - seconds;
  if (difference < 90) return ago(difference, "second");
  difference = Math.floor((difference + 30) / 60);
  if (difference < 90) return ago(difference, "minute");
  difference = Math.floor((difference + 30) / 60);
  if (difference < 36) return ago(difference, "hour");
  const days = Math.floor((difference + 12) / 24);
  if (days < 14) return ago(days, "day");
  if (days < 70) return ago(Math.floor((days + 3) / 7), "week");
  if (days < 365) return ago(Math.floor((days + 15) / 30), "month");
  if (days >= 1825) return ago(Math.floor((days + 183) / 365), "year");
  const total = Math.floor((days * 24 + 365) / 730);
  const [years, months] = [Math.floor(total / 12), total % 12];
  if (months === 0) return ago(years, "year");
  return `${count(years, "year")}, ${ago(months, "month")}`;
}

function ago(number: number, unit: string): string {
  return `${count(number, unit)} ago`;
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}
