/** Sizes, times and modes as people read them. */
const UNITS = ["B", "KB", "MB", "GB", "TB"];

/** 1.5 KB, 12 MB: powers of 1024, at most one decimal. */
export function humanSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  const shown = unit === 0 || value >= 10 ? Math.round(value) : Math.round(value * 10) / 10;
  return `${shown} ${UNITS[unit]}`;
}

/** 2026-11-17 02:30:00 UTC. */
export function humanTime(ms: number): string {
  return `${isoTime(ms).slice(0, 19).replace("T", " ")} UTC`;
}

export function isoTime(ms: number): string {
  return new Date(Math.floor(ms)).toISOString();
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
