/** Converts git's color words to terminal codes: "bold red blue", "#ff0000", "reset", "no-ul". */
import { GitError } from "../../../errors.ts";

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const ATTRIBUTES: Readonly<Record<string, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  ul: [4, 24],
  blink: [5, 25],
  reverse: [7, 27],
  strike: [9, 29],
};

export function colorCode(text: string): string {
  const codes: number[] = [];
  const colors: string[] = [];
  let reset = false;
  for (const word of text.split(/[ \t\n]+/).filter(Boolean)) {
    if (word.toLowerCase() === "reset") {
      reset = true;
      continue;
    }
    const color = colorNumber(word, colors.length === 0 ? 30 : 40);
    if (color !== null) {
      if (colors.length === 2) throw invalid(text);
      colors.push(color);
      continue;
    }
    const [, no, name = ""] = /^(no-?)?(.*)$/i.exec(word) ?? [];
    const attribute = ATTRIBUTES[name.toLowerCase()];
    if (!attribute) throw invalid(text);
    codes.push(no ? attribute[1] : attribute[0]);
  }
  const parts = [...new Set(codes)].sort((a, b) => a - b).map(String);
  parts.push(...colors.filter((color) => color !== ""));
  if (parts.length === 0 && !reset) return "";
  return `\x1b[${reset ? ["", ...parts].join(";") : parts.join(";")}m`;
}

/** Null: not a color. "" is `normal`. */
function colorNumber(word: string, base: number): string | null {
  const name = word.toLowerCase();
  if (name === "normal") return "";
  if (name === "default") return String(base + 9);
  const rgb = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(name);
  if (rgb)
    return `${base + 8};2;${rgb
      .slice(1)
      .map((part) => Number.parseInt(part, 16))
      .join(";")}`;
  if (NAMES.includes(name)) return String(base + NAMES.indexOf(name));
  const bright = /^bright(.*)$/.exec(name)?.[1];
  if (bright !== undefined && NAMES.includes(bright)) return String(base + 60 + NAMES.indexOf(bright));
  if (!/^-?\d+$/.test(name)) return null;
  const number = Number(name);
  if (number === -1) return "";
  if (number < 0 || number > 255) return null;
  if (number < 8) return String(base + number);
  return number < 16 ? String(base + 52 + number) : `${base + 8};5;${number}`;
}

function invalid(text: string): GitError {
  return new GitError("EINVAL", `invalid color value: ${text}`, { prefix: "error" });
}
