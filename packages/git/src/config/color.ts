/** Colors as git's configuration names them, and when to use them: only on request, since no output here is a terminal. */

import { GitError } from "../errors.ts";
import type { GitConfig } from "./git-config.ts";

export const RESET = "\x1b[m";

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

/** The escape sequence for "bold red", "#ff0000 blue", "243 nobold"; "" for nothing. Null: no such color. */
export function parseColor(text: string): string | null {
  const words = text.trim().toLowerCase().split(/\s+/);
  if (words.length === 1 && words[0] === "reset") return RESET;
  const attributes = new Set<number>();
  const colors: string[][] = [];
  let reset = false;
  for (const word of words) {
    if (word === "") continue;
    if (word === "reset") reset = true;
    else if (attributeOf(word) !== null) attributes.add(attributeOf(word) as number);
    else {
      const color = colorCodes(word, colors.length === 0 ? 30 : 40);
      if (color === null || colors.length === 2) return null;
      colors.push(color);
    }
  }
  const codes = [...attributes].sort((a, b) => a - b).map(String);
  const all = [...(reset ? [""] : []), ...codes, ...colors.flat()];
  return all.length === 0 ? "" : `\x1b[${all.join(";")}m`;
}

function attributeOf(word: string): number | null {
  const negated = /^no-?/.exec(word);
  const name = negated ? word.slice(negated[0].length) : word;
  const codes = Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined;
  if (codes === undefined) return null;
  return negated ? codes[1] : codes[0];
}

/** `base` is 30 for the foreground, 40 for the background. */
function colorCodes(word: string, base: number): string[] | null {
  if (word === "normal" || word === "-1") return [];
  if (word === "default") return [String(base + 9)];
  const bright = word.startsWith("bright");
  const name = NAMES.indexOf(bright ? word.slice(6) : word);
  if (name >= 0) return [String(base + name + (bright ? 60 : 0))];
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(word);
  if (hex)
    return [
      `${base + 8};2;${hex
        .slice(1)
        .map((part) => Number.parseInt(part, 16))
        .join(";")}`,
    ];
  if (!/^\d{1,3}$/.test(word) || Number(word) > 255) return null;
  const number = Number(word);
  if (number < 8) return [String(base + number)];
  if (number < 16) return [String(base + number - 8 + 60)];
  return [`${base + 8};5;${number}`];
}

/** `key` such as "color.decorate.branch". */
export function configuredColor(config: GitConfig, key: string, fallback: string): string {
  const text = config.get(key.toLowerCase());
  if (text === undefined) return fallback;
  const color = parseColor(text);
  if (color === null) throw new GitError("EINVAL", `unable to parse '${key}' from command-line config`);
  return color;
}

/** Resolves `--color[=<when>]`; `when` true: the option without a value. Only "always" colors output that is not a terminal. */
export function wantColor(config: GitConfig, key: string, when: string | boolean | undefined): boolean {
  if (when === true) return true;
  if (when === false) return false;
  const word = (when ?? config.get(key) ?? config.get("color.ui") ?? "auto").toLowerCase();
  if (word === "always") return true;
  if (when === undefined || word === "never" || word === "auto" || isBool(word)) return false;
  throw new GitError("EUSAGE", 'option `color\' expects "always", "auto", or "never"');
}

function isBool(word: string): boolean {
  return /^(|true|yes|on|1|false|no|off|0)$/.test(word);
}
