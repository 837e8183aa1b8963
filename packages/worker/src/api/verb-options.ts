/**
 * The options of a verb as parameters of HTTP, by the verb's table in `@workspace/protocol`: in a JSON body, or in a query, where a
 * flag is 0 or 1. What stays on the caller's side, and what a verb only accepts to ignore it, is no parameter.
 */
import { LOCAL_KINDS, type OptionsOf, type OptionTable, VERB_OPTIONS, type VerbWithOptions } from "@workspace/protocol";
import { z } from "zod";
import { pathText } from "./path.ts";

type Table<Verb extends VerbWithOptions> = (typeof VERB_OPTIONS)[Verb];

/** Kinds that are no parameters. */
type Left = "signal" | "copyFilter" | "watchIgnore" | "buffer" | "off" | "any" | "input";

type Named<T, Omitted> = { [Name in keyof T]: T[Name] extends Left ? never : Exclude<Name, Omitted> }[keyof T];

type Shape<Verb extends VerbWithOptions, Omitted> = {
  [Name in Named<Table<Verb>, Omitted>]: z.ZodOptional<
    z.ZodType<Exclude<OptionsOf<Table<Verb>>[Name & keyof Table<Verb>], undefined>>
  >;
};

/** `omit`: options that a route sets itself. */
export function bodyOptions<const Verb extends VerbWithOptions, const Omitted extends string = never>(
  verb: Verb,
  omit: readonly Omitted[] = [],
): Shape<Verb, Omitted> {
  return shapeOf(VERB_OPTIONS[verb], omit, bodyValue) as unknown as Shape<Verb, Omitted>;
}

export function queryOptions<const Verb extends VerbWithOptions, const Omitted extends string = never>(
  verb: Verb,
  omit: readonly Omitted[] = [],
): Shape<Verb, Omitted> {
  return shapeOf(VERB_OPTIONS[verb], omit, queryValue) as unknown as Shape<Verb, Omitted>;
}

type Value = (kind: OptionTable[string]) => z.ZodType;

function shapeOf(table: OptionTable, omit: readonly string[], value: Value): Record<string, z.ZodOptional<z.ZodType>> {
  const left: ReadonlySet<unknown> = new Set([...LOCAL_KINDS, "off", "any", "input"]);
  const names = Object.keys(table).filter((name) => !omit.includes(name) && !left.has(table[name]));
  return Object.fromEntries(names.map((name) => [name, value(table[name] as OptionTable[string]).optional()]));
}

const MAX_GLOBS = 1000;
const MAX_PATHS = 100_000;

const text = z.string().min(1).max(20_000);
const texts = z.union([z.string(), z.array(z.string()).max(MAX_GLOBS)]);
const count = z.int().min(0);

function bodyValue(kind: OptionTable[string]): z.ZodType {
  if (Array.isArray(kind)) return z.enum(kind as [string, ...string[]]);
  if (typeof kind === "object") return z.strictObject(shapeOf(kind as OptionTable, [], bodyValue));
  switch (kind) {
    case "flag":
      return z.boolean();
    case "path":
      return pathText;
    case "paths":
      return z.array(pathText).min(1).max(MAX_PATHS);
    case "texts":
    case "exclude":
      return texts;
    case "version":
      return z.string().min(1).max(64).nullable();
    case "count":
    case "number":
      return count;
    case "positive":
      return z.int().min(1);
    case "mode":
      return z.union([z.int(), z.string().max(16)]);
    case "variables":
      return z
        .record(z.string(), z.string())
        .refine((env) => Object.keys(env).length <= MAX_GLOBS, "at most 1000 variables");
    case "moment":
    case "text":
      return text;
    default:
      throw new TypeError(`no form in a body for an option of kind ${String(kind)}`);
  }
}

const number = (min: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .refine((n) => n >= min, `a number from ${min}`)
    .meta({ format: "int64", minimum: min });

function queryValue(kind: OptionTable[string]): z.ZodType {
  switch (kind) {
    case "flag":
      return z.enum(["0", "1"]).transform((flag) => flag === "1");
    case "count":
    case "number":
      return number(0);
    case "positive":
      return number(1);
    case "texts":
    case "exclude":
      return text;
    default:
      return bodyValue(kind);
  }
}
