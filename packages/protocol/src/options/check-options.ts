/**
 * Checks the options of a call against a table, for a local call and for one from a wire. An option that is not in the table is
 * rejected by name before anything is done, so that none is silently ignored. An option whose value is undefined or null counts as
 * absent. What is accepted is rebuilt, so that nothing unchecked passes.
 */
import { RPC_LIMITS } from "../rpc-limits.ts";
import { LOCAL_KINDS, type OptionTable, type OptionValues } from "./option-table.ts";

/** The message says which option and why; the caller adds the verb. */
export class OptionError extends Error {}

/** `"wire"`: from another object. Only plain data is accepted, and what stays on the caller's side is unknown. */
export type OptionOrigin = "local" | "wire";

export function checkOptions(
  table: OptionTable,
  given: unknown,
  origin: OptionOrigin,
  prefix = "",
): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  if (given === undefined || given === null) return known;
  if (!isObject(given, origin)) throw new OptionError(`${subject(prefix)} must be an object, not ${typeName(given)}`);
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const kind = Object.hasOwn(table, name) ? table[name] : undefined;
    if (kind === undefined || (origin === "wire" && LOCAL_KINDS.has(kind)))
      throw new OptionError(unknownOption(name, knownNames(table, origin), prefix));
    if (value === null && kind !== "version") continue;
    if (isTable(kind)) known[name] = checkOptions(kind, value, origin, `${prefix}${name}.`);
    else if (accepts(kind, value, origin)) known[name] = Array.isArray(value) ? [...value] : value;
    else throw new OptionError(refusedValue(`${prefix}${name}`, value));
  }
  return known;
}

function knownNames(table: OptionTable, origin: OptionOrigin): string[] {
  return Object.keys(table).filter(
    (name) => origin === "local" || !LOCAL_KINDS.has(table[name] as OptionTable[string]),
  );
}

/** A stub from another isolate is a function, or has another prototype. */
function isObject(value: unknown, origin: OptionOrigin): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  if (origin === "local") return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function refusedValue(option: string, value: unknown): string {
  return `option "${option}" does not take ${shown(value)}`;
}

function isTable(kind: OptionTable[string]): kind is OptionTable {
  return typeof kind === "object" && !Array.isArray(kind);
}

/** Whether a value is of a kind that is no table. */
function accepts(kind: OptionTable[string], value: unknown, origin: OptionOrigin): boolean {
  if (typeof kind === "function") return kind(value);
  if (Array.isArray(kind)) return kind.includes(value);
  return CHECKS[kind as keyof OptionValues](value, origin);
}

type Check = (value: unknown, origin: OptionOrigin) => boolean;

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => (Number.isSafeInteger(value) && (value as number) >= 0) || value === Infinity;
const isNumber: Check = (value) => typeof value === "number" && !Number.isNaN(value);
const isFlag: Check = (value) => typeof value === "boolean";
const isFunction: Check = (value, origin) => origin === "local" && typeof value === "function";
const isTextOrNumber: Check = (value) => typeof value === "string" || Number.isSafeInteger(value);

/** Before the loop: a sparse array of four billion holes crosses in a few bytes. */
function isListOf(limit: number): Check {
  return (value, origin) =>
    Array.isArray(value) &&
    (origin === "local" || value.length <= limit) &&
    Array.from(value).every((item) => typeof item === "string");
}

const isTexts: Check = (value, origin) => isText(value, origin) || isListOf(RPC_LIMITS.patternItems)(value, origin);

const CHECKS: { readonly [Kind in keyof OptionValues]: Check } = {
  flag: isFlag,
  text: isText,
  path: isText,
  moment: isText,
  count: isCount,
  positive: (value) => isCount(value, "local") && value !== 0,
  number: isNumber,
  bound: (value) => isNumber(value, "local") && (value as number) >= 0,
  positiveBound: (value) => isNumber(value, "local") && (value as number) >= 1,
  time: (value) => typeof value === "string" || typeof value === "number" || value instanceof Date,
  version: (value) => value === null || typeof value === "string",
  mode: isTextOrNumber,
  openFlag: isTextOrNumber,
  encoding: isText,
  utf8: (value) => typeof value === "string" && /^utf-?8$/i.test(value),
  copyMode: (value) => isCount(value, "local") && (value as number) <= 7,
  texts: isTexts,
  paths: isListOf(RPC_LIMITS.listItems),
  variables: (value, origin) =>
    isObject(value, origin) &&
    (origin === "local" || Object.keys(value).length <= RPC_LIMITS.patternItems) &&
    Object.values(value).every((one) => typeof one === "string"),
  off: (value) => value === false,
  any: () => true,
  bytes: (value) => value instanceof Uint8Array,
  input: (value, origin) =>
    value instanceof Uint8Array || (origin === "local" && (isText(value, origin) || value instanceof ReadableStream)),
  resume: (value) => value === "tail" || value === "full" || (isCount(value, "local") && value !== Infinity),
  exclude: (value, origin) => isFunction(value, origin) || isTexts(value, origin),
  signal: (value) => typeof value === "object" && value !== null && "aborted" in value,
  copyFilter: isFunction,
  watchIgnore: (_, origin) => origin === "local",
  buffer: (value) => ArrayBuffer.isView(value),
  position: (value) => typeof value === "number" || typeof value === "bigint",
};

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

/** Number of letters to insert, remove or replace. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] as number) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}

function subject(prefix: string): string {
  return prefix === "" ? "options" : `option "${prefix.slice(0, -1)}"`;
}

function typeName(value: unknown): string {
  return Array.isArray(value) ? "an array" : typeof value;
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 64));
  return typeof value === "object" || typeof value === "function" ? `a value of type ${typeof value}` : String(value);
}
