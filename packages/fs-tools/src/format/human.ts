/** Human-readable sizes, times and modes. */
const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** 1.5 KB, 12 MB: powers of 1024, at most one decimal. */
export function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const tenths = unit === 0 || value >= 10 ? Math.round(value) * 10 : Math.round(value * 10);
  const texts = TEXTS[unit]!;
  let text = texts.get(tenths);
  // A listing has many sizes but few distinct texts: a cache lookup is faster than formatting a number.
  if (text === undefined && texts.size < MAX_TEXTS) texts.set(tenths, (text = `${tenths / 10} ${UNITS[unit]}`));
  return text ?? `${tenths / 10} ${UNITS[unit]}`;
}

const TEXTS: readonly Map<number, string>[] = UNITS.map(() => new Map());
/** A unit has no more distinct texts before the next one. */
const MAX_TEXTS = 1200;

/** 2026-11-17 02:30:00 UTC. */
export function humanTime(ms: number): string {
  return `${isoTime(ms).slice(0, 19).replace("T", " ")} UTC`;
}

/** Cache: many files share a second, and formatting a date is slow, so the part before the milliseconds is formatted once. */
let second = Number.NaN;
let secondText = "";
/** Many files share a millisecond: a checkout gives all its files the same time. */
let moment = Number.NaN;
let momentText = "";

export function isoTime(ms: number): string {
  const whole = Math.floor(ms);
  if (whole === moment) return momentText;
  const seconds = Math.floor(whole / 1000);
  if (seconds !== second) {
    // Set before `second`, so that an invalid time leaves the cache consistent when it throws.
    secondText = new Date(seconds * 1000).toISOString().slice(0, -4);
    second = seconds;
  }
  const ms3 = whole - seconds * 1000;
  momentText = `${secondText}${ms3 < 10 ? "00" : ms3 < 100 ? "0" : ""}${ms3}Z`;
  moment = whole;
  return momentText;
}

/** -rwxr-xr-x. */
export function modeText(mode: number, type: "file" | "directory" | "symlink"): string {
  const bits = ["r", "w", "x"];
  let text = { file: "-", directory: "d", symlink: "l" }[type];
  for (let i = 8; i >= 0; i--) text += mode & (1 << i) ? bits[(8 - i) % 3] : "-";
  return text;
}

export function octalMode(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

/** A name with a line feed must not look like two names. */
export function oneLine(name: string): string {
  // Names are short: a loop is faster than starting a regular expression.
  for (let i = 0; i < name.length; i++) if (isControl(name.charCodeAt(i))) return JSON.stringify(name);
  return name;
}

function isControl(unit: number): boolean {
  return unit < 0x20 || unit === 0x7f || unit === 0x2028 || unit === 0x2029;
}
