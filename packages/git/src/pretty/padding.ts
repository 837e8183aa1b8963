/** `%<(20)`, `%>|(40,trunc)` and the like: pads the next placeholder to columns, and truncates it if too long. */
import { replaceColumns, textWidth } from "../text/text-width.ts";

export interface Padding {
  /** Alignment: "steal" also takes the spaces before. */
  readonly room: "right" | "left" | "both" | "steal";
  readonly width: number;
  /** The width is a column of the line, not the text's own. */
  readonly toColumn: boolean;
  /** Which part of a too long text is cut; empty: none. */
  readonly cut: string;
}

/** Larger padding is ignored. */
const LIMIT = 16 * 1024;
const TERMINAL_COLUMNS = 80;
const ROOMS: Readonly<Record<string, Padding["room"]>> = { "<": "right", ">": "left", "><": "both", ">>": "steal" };

/** Null: none at this position. */
export function parsePadding(template: string, at: number): { padding: Padding; length: number } | null {
  const match = /^(<|><|>>|>)(\|?)\(\s*(-?\d+)(?:,\s*(trunc|ltrunc|mtrunc))?\)/.exec(template.slice(at, at + 64));
  if (match === null) return null;
  const [whole, sign, bar, digits, cut = ""] = match as unknown as [string, string, string, string, string?];
  const toColumn = bar === "|";
  let width = Number(digits);
  if (width === 0 || Math.abs(width) > LIMIT) return null;
  if (width < 0 && toColumn) width += TERMINAL_COLUMNS;
  if (width < 0) return null;
  return { padding: { room: ROOMS[sign] as Padding["room"], width, toColumn, cut }, length: whole.length };
}

/** `before` with `text` at its end, in `requested` columns. */
export function appendPadded(before: string, text: string, requested: number, { room, cut }: Padding): string {
  let out = before;
  let local = text;
  let width = requested;
  const taken = textWidth(local);
  if (room === "steal") {
    while (taken > width && out.length > 1) {
      if (out.endsWith(" ")) {
        out = out.slice(0, -1);
        width++;
        continue;
      }
      const colored = /\x1b\[[0-9;]{0,8}m$/.exec(out.slice(-11))?.[0];
      if (colored === undefined) break;
      local = colored + local;
      out = out.slice(0, -colored.length);
    }
  }
  if (taken > width) {
    const start = cut === "ltrunc" ? 0 : cut === "mtrunc" ? Math.trunc(width / 2) - 1 : width - 2;
    return out + (cut === "" ? local : replaceColumns(local, Math.max(0, start), taken - (width - 2), ".."));
  }
  const free = width - taken;
  const left = room === "right" ? 0 : room === "both" ? free >> 1 : free;
  return out + " ".repeat(left) + local + " ".repeat(free - left);
}
