/** Parses values: git's booleans, numbers with units, paths with "~". */
import { GitError } from "../errors.ts";

/** Null: not a boolean. */
export function parseBool(value: string | null): boolean | null {
  if (value === null) return true;
  if (value === "") return false;
  const word = value.toLowerCase();
  if (word === "true" || word === "yes" || word === "on") return true;
  if (word === "false" || word === "no" || word === "off") return false;
  const number = parseNumber(value);
  return typeof number === "number" ? number !== 0 : null;
}

/** Parses a number: decimal, 0x or octal as in C, with a suffix k, m or g. "unit" and "range" name the error. */
export function parseNumber(value: string, max = 2 ** 31 - 1): number | "unit" | "range" {
  const [, sign = "", digits, unit = ""] = /^[ \t\n\r\f\v]*([+-]?)(0[xX][0-9a-fA-F]+|\d+)(.*)$/s.exec(value) ?? [];
  if (digits === undefined) return "unit";
  const base = /^0x/i.test(digits) ? 16 : digits.startsWith("0") ? 8 : 10;
  const octal = base === 8 ? /^[0-7]*/.exec(digits)?.[0] : digits;
  if (octal !== digits) return "unit";
  const factor = { "": 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[unit.toLowerCase()];
  if (factor === undefined) return "unit";
  const size = Number.parseInt(digits.replace(/^0x/i, ""), base) * factor;
  if (size > (sign === "-" ? max + 1 : max)) return "range";
  return sign === "-" ? -size : size;
}

export function needBool(key: string, value: string | null): boolean {
  const parsed = parseBool(value);
  if (parsed === null) throw new GitError("EINVAL", `bad boolean config value '${value}' for '${key}'`);
  return parsed;
}

export function needInt(key: string, value: string | null, max?: number, where = ""): number {
  if (value === null) throw new GitError("EINVAL", `missing value for '${key}'`);
  const parsed = parseNumber(value, max);
  if (typeof parsed === "number") return parsed;
  const reason = parsed === "unit" ? "invalid unit" : "out of range";
  throw new GitError("EINVAL", `bad numeric config value '${value}' for '${key}'${where}: ${reason}`);
}

/** Expands "~/x" by HOME. "~name/x" is unsupported: there are no other users. */
export function expandUser(path: string, home: string | undefined): string {
  if (path === "~") return home ?? path;
  if (path.startsWith("~/") && home !== undefined) return home + path.slice(1);
  if (path.startsWith("~")) throw new GitError("EINVAL", `failed to expand user dir in: '${path}'`);
  return path;
}
