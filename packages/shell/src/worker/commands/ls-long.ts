/** The lines of `ls -l`: mode, link count, owner, size, time and name, in columns. Times are UTC. */
import type { FileStat } from "@workspace/vfs";
import type { ListedEntry } from "./ls.ts";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const HALF_A_YEAR = (365.2425 / 2) * 24 * 60 * 60 * 1000;
const OWNER = "workspace";

export function longLines(
  found: readonly ListedEntry[],
  names: readonly string[],
  size: (bytes: number) => string,
  now: number,
): string[] {
  const sizes = found.map(({ stat }) => size(stat.size));
  const links = found.map(({ stat }) => String(stat.nlink));
  const width = (column: readonly string[]) => Math.max(0, ...column.map(({ length }) => length));
  const [sizeWidth, linkWidth] = [width(sizes), width(links)];
  return found.map(({ stat, target }, i) => {
    const name = `${names[i]}${target === null ? "" : ` -> ${target}`}`;
    const numbers = `${links[i]?.padStart(linkWidth)} ${OWNER} ${OWNER} ${sizes[i]?.padStart(sizeWidth)}`;
    return `${modeText(stat)} ${numbers} ${timeText(stat.mtimeMs, now)} ${name}`;
  });
}

/** In kilobytes, as if on a disk of 4 KiB blocks. */
export function totalBlocks(found: readonly ListedEntry[]): number {
  return found.reduce((sum, { stat }) => sum + (stat.isFile() ? Math.ceil(stat.size / 4096) * 4 : 0), 0);
}

/** GNU rounds up, with one decimal below ten. */
export function humanSize(bytes: number): string {
  if (bytes < 1024) return String(bytes);
  let value = bytes;
  let unit = -1;
  while (value >= 1024 && unit < 4) {
    value /= 1024;
    unit++;
  }
  const tenths = Math.ceil(value * 10) / 10;
  const shown = tenths < 10 ? tenths.toFixed(1) : String(Math.ceil(value));
  return shown === "1024" && unit < 4 ? `1.0${"KMGTP"[unit + 1]}` : `${shown}${"KMGTP"[unit]}`;
}

export function modeText({ mode, type }: FileStat): string {
  const kind = type === "dir" ? "d" : type === "symlink" ? "l" : "-";
  const bits = [...(mode & 0o777).toString(8).padStart(3, "0")].map((digit) => {
    const value = Number(digit);
    return `${value & 4 ? "r" : "-"}${value & 2 ? "w" : "-"}${value & 1 ? "x" : "-"}`;
  });
  return kind + bits.join("");
}

function timeText(ms: number, now: number): string {
  const time = new Date(ms);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${MONTHS[time.getUTCMonth()]} ${String(time.getUTCDate()).padStart(2)}`;
  const isRecent = ms <= now + 1000 && now - ms < HALF_A_YEAR;
  return isRecent
    ? `${day} ${two(time.getUTCHours())}:${two(time.getUTCMinutes())}`
    : `${day}  ${time.getUTCFullYear()}`;
}
