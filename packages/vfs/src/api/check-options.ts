/**
 * Checks the options of a call against a table. An option that is not in the table is rejected by name before anything is done, so
 * that none is silently ignored. An option whose value is undefined or null counts as absent.
 */
import { editDistance } from "@workspace/text";
import { FsError } from "./errors.ts";

/** Whether an option accepts a value. `any` marks values that the verb checks itself, with its own message. */
export type OptionCheck = (value: unknown) => boolean;

/** By option name; a nested table describes an option that is an object of options. */
export interface OptionTable {
  readonly [name: string]: OptionCheck | OptionTable;
}

/** A table checked against a type by the compiler: an option added to the type must be added to the table. */
export type OptionsOf<T> = { readonly [K in keyof Required<T>]: OptionCheck | OptionTable };

export const any: OptionCheck = () => true;
/** The only option for which `null` has a meaning: nothing may exist there. */
export const version: OptionCheck = () => true;

/** A limit, at least 0. NaN, from a missing setting, would be no limit at all: no number is larger. */
export const bound: OptionCheck = (value) => typeof value === "number" && value >= 0;
/** A limit that must not be 0, because nothing could be done within it. */
export const positiveBound: OptionCheck = (value) => bound(value) && (value as number) >= 1;

/** A table of limits with a default each. */
export function boundsOf(defaults: object, check = bound): OptionTable {
  return Object.fromEntries(Object.keys(defaults).map((name) => [name, check]));
}

/** Returns the options of a call after checking that each is known. Absent ones are left out, so that defaults apply. */
export function checkOptions<T extends object>(
  table: OptionTable,
  given: unknown,
  call: { syscall: string; path?: unknown },
): Partial<T> {
  return checked(table, given, call, "") as Partial<T>;
}

function checked(
  table: OptionTable,
  given: unknown,
  call: { syscall: string; path?: unknown },
  prefix: string,
): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  if (given === undefined || given === null) return known;
  const { syscall, path } = call;
  const refuse = (reason: string): never => {
    throw new FsError("EINVAL", { syscall, reason, ...(typeof path === "string" ? { path } : {}) });
  };
  if (typeof given !== "object" || Array.isArray(given)) {
    const subject = prefix === "" ? "options" : `option "${prefix.slice(0, -1)}"`;
    return refuse(`${subject} must be an object, not ${Array.isArray(given) ? "an array" : typeof given}`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const check = Object.hasOwn(table, name) ? table[name] : undefined;
    if (check === undefined) return refuse(unknownOption(name, Object.keys(table), prefix));
    if (value === null && check !== version) continue;
    if (typeof check === "object") known[name] = checked(check, value, call, `${prefix}${name}.`);
    else if (check(value)) known[name] = value;
    else return refuse(`option "${prefix}${name}" does not take ${shown(value)}`);
  }
  return known;
}

/** Rejects an option by name and suggests the one that was probably meant. */
export function unknownOption(name: string, known: readonly string[], prefix = ""): string {
  const reported = name.slice(0, 64);
  const meant = closest(reported, known);
  const hint = meant === undefined ? "" : `; did you mean "${prefix}${meant}"?`;
  return `option "${prefix}${reported}" is not supported${hint}`;
}

/** The most similar name: case is ignored, and a third of the letters may differ. */
function closest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let min = Number.POSITIVE_INFINITY;
  for (const one of known) {
    const edits = editDistance(name.toLowerCase(), one.toLowerCase());
    if (edits < min && edits <= Math.max(1, Math.floor(one.length / 3))) [best, min] = [one, edits];
  }
  return best;
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  return typeof value === "object" || typeof value === "function" ? `a value of type ${typeof value}` : String(value);
}
