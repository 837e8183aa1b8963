/** git's hints: lines that begin with "hint: " on stderr; `advice.<name>` turns off each kind. */
import type { GitConfig } from "./git-config.ts";

export function adviceEnabled(config: GitConfig, name: string): boolean {
  return config.getBool(`advice.${name.toLowerCase()}`) ?? true;
}

/** The text with "hint: " before every line; "" if it is turned off. */
export function advice(config: GitConfig, name: string, text: string): string {
  return adviceEnabled(config, name) ? hint(text) : "";
}

export function hint(text: string): string {
  return text
    .split("\n")
    .map((line) => `hint: ${line}\n`)
    .join("");
}
