/** Usage in git's layout: the synopsis, an empty line, then one flag a line with its help in column 26. */
import type { Command } from "./command.ts";
import type { Flag } from "./flag-table.ts";

const WIDTH = 24;
const GAP = 2;

export function usageText({ usage, flags }: Pick<Command, "usage" | "flags">): string {
  const synopsis = usage.map((line, at) => `${at === 0 ? "usage: " : "   or: "}${line}\n`).join("");
  const lines = Object.values(flags)
    .filter((flag) => !flag.hidden)
    .map(flagLine);
  return `${synopsis}\n${lines.join("")}${lines.length > 0 ? "\n" : ""}`;
}

function flagLine(flag: Flag): string {
  const names = [flag.short, flag.long].filter((name) => name !== undefined).join(", ");
  const left = `    ${names}${argumentOf(flag)}`;
  const fits = left.length <= WIDTH;
  const gap = " ".repeat(GAP + (fits ? WIDTH - left.length : WIDTH));
  return `${left}${fits ? "" : "\n"}${gap}${flag.help}\n`;
}

function argumentOf({ value, arg, long, short }: Flag): string {
  if (value === undefined || value === "count" || short === "-NUM") return "";
  const name = arg ?? (value === "number" ? "<n>" : "...");
  if (value === "optional") return long === undefined ? `[${name}]` : `[=${name}]`;
  return ` ${name}`;
}
