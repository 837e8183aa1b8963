/**
 * Checks the arguments of RPC calls. Any holder of the binding can call a stub with anything that can be cloned, so a check
 * rebuilds every argument: the right type, within a limit, known fields only. Stubs claim to have every property; `typeof` reports
 * them as functions and their prototype is not Object's, so they fail here.
 */
import {
  checkOptions,
  expandOptions,
  OptionError,
  type OptionsOf,
  type OptionTable,
  unknownOption,
  VERB_OPTIONS,
  type VerbWithOptions,
} from "@workspace/protocol";
import { FsError } from "@workspace/vfs";

/** Returns the checked value, or throws `BadArgument`. */
export type ArgumentCheck<T> = (value: unknown, name: string) => T;

export class BadArgument extends Error {}

export function reject(name: string, expected: string): never {
  throw new BadArgument(`${name} must be ${expected}`);
}

export const text: ArgumentCheck<string> = (value, name) =>
  typeof value === "string" ? value : reject(name, "a string");
export const flag: ArgumentCheck<boolean> = (value, name) =>
  typeof value === "boolean" ? value : reject(name, "a boolean");
export const path: ArgumentCheck<string> = text;

export function textUpTo(length: number): ArgumentCheck<string> {
  return (value, name) =>
    text(value, name).length <= length ? (value as string) : reject(name, `at most ${length} characters`);
}

export const integer: ArgumentCheck<number> = (value, name) =>
  Number.isSafeInteger(value) ? (value as number) : reject(name, "an integer");

export const size: ArgumentCheck<number> = (value, name) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : reject(name, "an integer not below 0");

export const time: ArgumentCheck<Date | number | string> = (value, name) => {
  if (typeof value === "number" || typeof value === "string") return value;
  return value instanceof Date ? value : reject(name, "a date, number or string");
};

export const bytes: ArgumentCheck<Uint8Array> = (value, name) =>
  value instanceof Uint8Array ? value : reject(name, "bytes");

export const stream: ArgumentCheck<ReadableStream<Uint8Array>> = (value, name) =>
  value instanceof ReadableStream ? (value as ReadableStream<Uint8Array>) : reject(name, "a stream");

export function optional<T>(check: ArgumentCheck<T>): ArgumentCheck<T | undefined> {
  return (value, name) => (value === undefined ? undefined : check(value, name));
}

export function nullable<T>(check: ArgumentCheck<T>): ArgumentCheck<T | null> {
  return (value, name) => (value === null ? null : check(value, name));
}

export function either<A, B>(first: ArgumentCheck<A>, second: ArgumentCheck<B>): ArgumentCheck<A | B> {
  return (value, name) => {
    try {
      return first(value, name);
    } catch {
      return second(value, name);
    }
  };
}

export function oneOf<const T extends string>(...names: readonly T[]): ArgumentCheck<T> {
  return (value, name) => (names.includes(value as T) ? (value as T) : reject(name, `one of ${names.join(", ")}`));
}

export function list<T>(of: ArgumentCheck<T>, limit: number): ArgumentCheck<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) return reject(name, "an array");
    // Before the loop: a sparse array of four billion holes crosses in a few bytes.
    if (value.length > limit) return reject(name, `an array of at most ${limit} items`);
    return Array.from(value, (item, i) => of(item, `${name}[${i}]`));
  };
}

type Shape = Record<string, ArgumentCheck<unknown>>;
type Checked<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> };

/** A plain object; unknown fields are dropped. */
export function fields<S extends Shape>(shape: S): ArgumentCheck<Checked<S>> {
  return (value, name) => {
    const found = plainObject(value, name);
    const result: Record<string, unknown> = {};
    for (const [field, check] of Object.entries(shape)) {
      const checked = check(Object.hasOwn(found, field) ? found[field] : undefined, `${name}.${field}`);
      if (checked !== undefined) result[field] = checked;
    }
    return result as Checked<S>;
  };
}

/** Like `fields`, but rejects an unknown field by name. */
export function exactFields<S extends Shape>(shape: S): ArgumentCheck<Checked<S>> {
  const check = fields(shape);
  return (value, name) => {
    for (const [field, found] of Object.entries(plainObject(value, name)))
      if (found !== undefined && !Object.hasOwn(shape, field))
        throw new BadArgument(`${name}: ${unknownOption(field, Object.keys(shape))}`);
    return check(value, name);
  };
}

/** The options of a verb, by its table: an unknown one is rejected by name. */
export function optionsOf<V extends VerbWithOptions>(
  verb: V,
): ArgumentCheck<OptionsOf<(typeof VERB_OPTIONS)[V]> | undefined> {
  const check = options(VERB_OPTIONS[verb]);
  return (value, name) => check(expandOptions(verb, value), name) as OptionsOf<(typeof VERB_OPTIONS)[V]> | undefined;
}

/** Options by a table of their own. */
export function options<Table extends OptionTable>(table: Table): ArgumentCheck<OptionsOf<Table> | undefined> {
  return (value, name) => {
    if (value === undefined) return undefined;
    if (value === null) return reject(name, "an object");
    try {
      return checkOptions(table, value, "wire") as OptionsOf<Table>;
    } catch (error) {
      throw error instanceof OptionError ? new BadArgument(`${name}: ${error.message}`) : error;
    }
  };
}

export function plainObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return reject(name, "an object");
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return reject(name, "a plain object");
  return value as Record<string, unknown>;
}

/** Checks all arguments of one call, in order; as many as there are checks, or fewer. */
export function checkArguments(checks: readonly ArgumentCheck<unknown>[], args: unknown): unknown[] {
  if (!Array.isArray(args)) return reject("args", "an array");
  if (args.length > checks.length) return reject("args", `at most ${checks.length} items`);
  return checks.map((check, i) => check(args[i], `argument ${i + 1}`));
}

/** The error for a bad argument: EINVAL, with the path if there is one. */
export function invalid(verb: string, reason: string, args?: unknown): FsError {
  const first = Array.isArray(args) ? args[0] : undefined;
  const fields = { syscall: verb, reason };
  return new FsError("EINVAL", typeof first === "string" ? { ...fields, path: first } : fields);
}
