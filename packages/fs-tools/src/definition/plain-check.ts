/**
 * Checks whether an input is valid as it stands, without zod, which costs more than many a call does. Generated from the schema: it
 * accepts only inputs that zod would return unchanged, and leaves everything else (coercion, errors, rarer types) to zod.
 */
import * as z from "zod";

type Test = (value: unknown) => boolean;

const created = new WeakMap<z.ZodObject, Test | null>();

export function isPlainlyRight(schema: z.ZodObject, value: Record<string, unknown>): boolean {
  let test = created.get(schema);
  if (test === undefined) created.set(schema, (test = objectTest(schema)));
  return test?.(value) ?? false;
}

/** Null: the schema has a type that is not supported here. */
function objectTest(schema: z.ZodObject): Test | null {
  const { catchall, checks = [] } = schema._zod.def;
  if (!(catchall instanceof z.ZodNever) || checks.length > 0) return null;
  const fields = new Map<string, Test>();
  const required: string[] = [];
  for (const [name, field] of Object.entries(schema.shape)) {
    const test = fieldTest(field as z.ZodType);
    if (test === null) return null;
    fields.set(name, test);
    if (!(field instanceof z.ZodOptional)) required.push(name);
  }
  return (value) => {
    if (typeof value !== "object" || value === null) return false;
    const object = value as Record<string, unknown>;
    for (const name of required) if (!Object.hasOwn(object, name)) return false;
    for (const name of Object.keys(object)) if (fields.get(name)?.(object[name]) !== true) return false;
    return true;
  };
}

function fieldTest(field: z.ZodType): Test | null {
  if (field instanceof z.ZodOptional) {
    const inner = fieldTest(field.unwrap() as z.ZodType);
    return inner && ((value) => value === undefined || inner(value));
  }
  const checks = checksOf(field);
  if (field instanceof z.ZodString) return textTest(checks);
  if (field instanceof z.ZodNumber) return numberTest(checks);
  if (field instanceof z.ZodArray) return arrayTest(field, checks);
  if (checks.length > 0) return null;
  if (field instanceof z.ZodBoolean) return (value) => typeof value === "boolean";
  if (field instanceof z.ZodEnum) {
    const options = new Set<unknown>(field.options);
    return (value) => options.has(value);
  }
  return field instanceof z.ZodObject ? objectTest(field) : null;
}

/** Zod's internal form of `.min(1)` and similar checks. */
interface FieldCheck {
  check: string;
  minimum?: number;
  maximum?: number;
  value?: unknown;
  inclusive?: boolean;
  format?: string;
}

function checksOf(field: z.ZodType): FieldCheck[] {
  const { checks = [] } = field._zod.def as { checks?: { _zod: { def: FieldCheck } }[] };
  const own = field._zod.def as unknown as FieldCheck;
  // `z.email()`, `z.int()` and similar types are themselves a check.
  return [...(own.check === undefined ? [] : [own]), ...checks.map((check) => check._zod.def)];
}

function textTest(checks: readonly FieldCheck[]): Test | null {
  const fits = lengthTest(checks);
  return fits && ((value) => typeof value === "string" && fits(value.length));
}

function arrayTest(field: z.ZodArray, checks: readonly FieldCheck[]): Test | null {
  const [fits, item] = [lengthTest(checks), fieldTest(field.element as z.ZodType)];
  if (fits === null || item === null) return null;
  return (value) => Array.isArray(value) && fits(value.length) && value.every(item);
}

/** Null: there are other checks. */
function lengthTest(checks: readonly FieldCheck[]): ((length: number) => boolean) | null {
  let [min, max] = [0, Number.POSITIVE_INFINITY];
  for (const { check, minimum, maximum } of checks) {
    if (check === "min_length" && minimum !== undefined) min = Math.max(min, minimum);
    else if (check === "max_length" && maximum !== undefined) max = Math.min(max, maximum);
    else return null;
  }
  return (length) => length >= min && length <= max;
}

function numberTest(checks: readonly FieldCheck[]): Test | null {
  const tests: ((value: number) => boolean)[] = [];
  for (const { check, value: bound, inclusive, format } of checks) {
    if (check === "number_format" && format === "safeint") tests.push(Number.isSafeInteger);
    else if (check === "greater_than" && inclusive && typeof bound === "number") tests.push((value) => value >= bound);
    else if (check === "less_than" && inclusive && typeof bound === "number") tests.push((value) => value <= bound);
    else return null;
  }
  return (value) => typeof value === "number" && Number.isFinite(value) && tests.every((test) => test(value));
}
