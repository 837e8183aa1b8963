/**
 * Checks for what arrives at the door. A stub can be called by anyone who holds the binding, with anything that can be cloned,
 * so every argument is rebuilt by a check: the right type, within a limit, known fields only. Stubs claim to have every
 * property; they are functions to `typeof` and their prototype is not Object's, and so they fail here.
 */
import { FsError, unknownOption } from "@workspace/vfs";

/** Returns the value as it may be used, or throws `BadArgument`. */
export type Check<T> = (value: unknown, name: string) => T;

export class BadArgument extends Error {}

export function refuse(name: string, expected: string): never {
  throw new BadArgument(`${name} must be ${expected}`);
}

export const text: Check<string> = (value, name) => (typeof value === "string" ? value : refuse(name, "a string"));
export const flag: Check<boolean> = (value, name) => (typeof value === "boolean" ? value : refuse(name, "a boolean"));
export const path: Check<string> = text;

export function textUpTo(length: number): Check<string> {
  return (value, name) =>
    text(value, name).length <= length ? (value as string) : refuse(name, `at most ${length} characters`);
}

export const integer: Check<number> = (value, name) =>
  Number.isSafeInteger(value) ? (value as number) : refuse(name, "an integer");

export const size: Check<number> = (value, name) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : refuse(name, "an integer not below 0");

export const amount: Check<number> = (value, name) =>
  typeof value === "number" && value >= 0 ? value : refuse(name, "a number not below 0");

export const time: Check<Date | number | string> = (value, name) => {
  if (typeof value === "number" || typeof value === "string") return value;
  return value instanceof Date ? value : refuse(name, "a date, number or string");
};

export const bytes: Check<Uint8Array> = (value, name) => (value instanceof Uint8Array ? value : refuse(name, "bytes"));

export const stream: Check<ReadableStream<Uint8Array>> = (value, name) =>
  value instanceof ReadableStream ? (value as ReadableStream<Uint8Array>) : refuse(name, "a stream");

export function optional<T>(check: Check<T>): Check<T | undefined> {
  return (value, name) => (value === undefined ? undefined : check(value, name));
}

export function nullable<T>(check: Check<T>): Check<T | null> {
  return (value, name) => (value === null ? null : check(value, name));
}

export function either<A, B>(first: Check<A>, second: Check<B>): Check<A | B> {
  return (value, name) => {
    try {
      return first(value, name);
    } catch {
      return second(value, name);
    }
  };
}

export function oneOf<const T extends string>(...names: readonly T[]): Check<T> {
  return (value, name) => (names.includes(value as T) ? (value as T) : refuse(name, `one of ${names.join(", ")}`));
}

export function list<T>(of: Check<T>, limit: number): Check<T[]> {
  return (value, name) => {
    if (!Array.isArray(value)) return refuse(name, "an array");
    // Before the loop: a sparse array of four thousand million holes crosses in a few bytes.
    if (value.length > limit) return refuse(name, `an array of at most ${limit} items`);
    return Array.from(value, (item, i) => of(item, `${name}[${i}]`));
  };
}

type Shape = Record<string, Check<unknown>>;
type Checked<S extends Shape> = { [K in keyof S]: ReturnType<S[K]> };

/** A plain object; fields it does not know are left behind. */
export function fields<S extends Shape>(shape: S): Check<Checked<S>> {
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

/** As `fields`, for options: one that it does not know is refused with its name. */
export function options<S extends Shape>(shape: S): Check<Checked<S>> {
  const check = fields(shape);
  return (value, name) => {
    for (const [field, found] of Object.entries(plainObject(value, name)))
      if (found !== undefined && !Object.hasOwn(shape, field))
        throw new BadArgument(`${name}: ${unknownOption(field, Object.keys(shape))}`);
    return check(value, name);
  };
}

export function plainObject(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return refuse(name, "an object");
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return refuse(name, "a plain object");
  return value as Record<string, unknown>;
}

/** All arguments of one call, in order; as many as there are checks, or fewer. */
export function checkArguments(checks: readonly Check<unknown>[], args: unknown): unknown[] {
  if (!Array.isArray(args)) return refuse("args", "an array");
  if (args.length > checks.length) return refuse("args", `at most ${checks.length} items`);
  return checks.map((check, i) => check(args[i], `argument ${i + 1}`));
}

/** What the caller gets for a bad argument: EINVAL, with the path when there is one to name. */
export function invalid(verb: string, reason: string, args?: unknown): FsError {
  const first = Array.isArray(args) ? args[0] : undefined;
  const fields = { syscall: verb, reason };
  return new FsError("EINVAL", typeof first === "string" ? { ...fields, path: first } : fields);
}
