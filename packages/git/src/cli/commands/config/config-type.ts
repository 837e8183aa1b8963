/** `--type` and its older spellings: how a value is read and written. */
import { expandUser, needBool, needInt, parseBool, parseNumber } from "../../../config/config-value.ts";
import { parseExpiry } from "../../../date/approxidate.ts";
import { localTime } from "../../../date/local-time.ts";
import { GitError } from "../../../errors.ts";
import type { CommandContext } from "../../framework/command.ts";
import { colorCode } from "./color-code.ts";

export type ConfigType = "bool" | "int" | "bool-or-int" | "bool-or-str" | "path" | "expiry-date" | "color";
const TYPES: readonly string[] = ["bool", "int", "bool-or-int", "bool-or-str", "path", "expiry-date", "color"];

const FLAGS: Readonly<Record<string, ConfigType>> = {
  bool: "bool",
  int: "int",
  boolOrInt: "bool-or-int",
  boolOrStr: "bool-or-str",
  path: "path",
  expiryDate: "expiry-date",
};

/** Allows one type, which may be repeated; `--no-type` resets it. */
export function chooseType(order: readonly { name: string; value: string | boolean }[]): ConfigType | null {
  let chosen: ConfigType | null = null;
  for (const { name, value } of order) {
    if (name !== "type" && FLAGS[name] === undefined) continue;
    if (value === false) {
      chosen = null;
      continue;
    }
    const type = name === "type" ? String(value) : (FLAGS[name] as string);
    if (!TYPES.includes(type)) throw new GitError("EINVAL", `unrecognized --type argument, ${type}`);
    if (chosen !== null && chosen !== type) throw new GitError("EUSAGE", "only one type at a time");
    chosen = type as ConfigType;
  }
  return chosen;
}

const LARGEST = 2 ** 63;

/** The value as printed. `where` is " in file …" for messages. */
export function displayValue(
  context: CommandContext,
  type: ConfigType | null,
  key: string,
  value: string | null,
  where: string,
): string {
  switch (type) {
    case null:
      return value ?? "";
    case "int":
      return String(needInt(key, value ?? "", LARGEST, where));
    case "bool":
      return String(needBool(key, value));
    case "bool-or-int": {
      const word =
        value === null || value === "" || /^(true|yes|on|false|no|off)$/i.test(value) ? parseBool(value) : null;
      return word === null ? String(needInt(key, value, LARGEST, where)) : String(word);
    }
    case "bool-or-str": {
      const word = value !== null && typeof parseNumber(value) === "number" ? null : parseBool(value);
      return word === null ? (value ?? "") : String(word);
    }
    case "path":
      return expandUser(needValue(key, value), context.env.HOME);
    case "expiry-date": {
      const seconds = parseExpiry(needValue(key, value), localTime(context.host, context.env));
      if (seconds === null)
        throw new GitError("EINVAL", `'${value}' for '${key}' is not a valid timestamp`, { prefix: "error" });
      return seconds === Number.POSITIVE_INFINITY ? "18446744073709551615" : String(seconds);
    }
    case "color":
      return colorCode(needValue(key, value));
    default:
      return type satisfies never;
  }
}

function needValue(key: string, value: string | null): string {
  if (value === null) throw new GitError("EINVAL", `missing value for '${key}'`, { prefix: "error" });
  return value;
}

/** Adds git's complaint to the error for an invalid color. */
export function readColor(text: string, complaint: string): string {
  try {
    return colorCode(text);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new GitError("EINVAL", `${error.message}\nfatal: ${complaint}`, { prefix: "error" });
  }
}

/** The value as written to the file. */
export function storedValue(type: ConfigType | null, key: string, value: string): string {
  switch (type) {
    case "int":
      return String(needInt(key, value, LARGEST));
    case "bool":
      return String(needBool(key, value));
    case "bool-or-int": {
      const word = /^(true|yes|on|false|no|off|)$/i.test(value) ? parseBool(value) : null;
      return word === null ? String(needInt(key, value, LARGEST)) : String(word);
    }
    case "bool-or-str": {
      const word = typeof parseNumber(value) === "number" ? null : parseBool(value);
      return word === null ? value : String(word);
    }
    case "color":
      readColor(value, `cannot parse color '${value}'`);
      return value;
    default:
      return value;
  }
}
