/** Quotes a template's values for a shell, so that nothing in them is read as syntax. */
import { ShellError } from "./errors.ts";
import type { TemplateValue } from "./shell.ts";

/** Quotes any text as one word of a POSIX shell. */
export function quoteWord(word: string): string {
  if (word.includes("\0")) throw new ShellError("EINVAL", "a word of a command cannot hold a NUL character");
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", () => `'\\''`)}'`;
}

/** The script of a tagged template. */
export function quoteTemplate(strings: TemplateStringsArray, values: readonly TemplateValue[]): string {
  return strings.map((text, i) => (i < values.length ? text + quoteValue(values[i]) : text)).join("");
}

/** Called as a tag, `exec` receives its strings as an array with a `raw` property. */
export function isTemplate(value: unknown): value is TemplateStringsArray {
  return Array.isArray(value) && Array.isArray((value as { raw?: unknown }).raw);
}

function quoteValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(quoteValue).join(" ");
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return quoteWord(String(value));
  throw new ShellError("EINVAL", "a template takes text, numbers, booleans and arrays of them");
}
