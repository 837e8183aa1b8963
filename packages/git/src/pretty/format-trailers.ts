/** Expands `%(trailers:…)`: the trailers of a commit message, by the options after the colon. */
import { skipBlankLines } from "../message/commit-message.ts";
import { parseTrailers } from "../message/trailers.ts";

interface TrailerOptions {
  keys: string[];
  only: boolean;
  unfold: boolean;
  keyOnly: boolean;
  valueOnly: boolean;
  separator?: string;
  keyValueSeparator?: string;
}

/** Null: options unknown to git; the placeholder then stays unchanged. */
export function formatTrailers(message: string, text: string): string | null {
  const options = parseOptions(text);
  if (options === null) return null;
  const { start, end, trailers } = parseTrailers(message.slice(skipBlankLines(message, 0)), { divider: false });
  const { keys, only, unfold, keyOnly, valueOnly, separator, keyValueSeparator = ": " } = options;
  const untouched = !only && !unfold && !keyOnly && !valueOnly && separator === undefined;
  if (untouched && keys.length === 0 && options.keyValueSeparator === undefined) {
    return message.slice(skipBlankLines(message, 0)).slice(start, end);
  }
  let out = "";
  for (const { key, value, raw } of trailers) {
    if (key === null) {
      if (only) continue;
      if (separator !== undefined && out !== "") out += separator;
      out += separator === undefined ? `${raw}\n` : raw.trimEnd();
      continue;
    }
    if (keys.length > 0 && !keys.includes(key.toLowerCase())) continue;
    if (separator !== undefined && out !== "") out += separator;
    const displayed = unfold ? value.replace(/(?<!\s)\s*\n\s*/g, () => " ") : value;
    if (!valueOnly) out += key;
    if (!keyOnly && !valueOnly) out += keyValueSeparator;
    if (!keyOnly) out += displayed;
    if (separator === undefined) out += "\n";
  }
  return out;
}

function parseOptions(text: string): TrailerOptions | null {
  const options: TrailerOptions = { keys: [], only: false, unfold: false, keyOnly: false, valueOnly: false };
  for (const part of text === "" ? [] : text.split(",")) {
    const equals = part.indexOf("=");
    const name = equals < 0 ? part : part.slice(0, equals);
    const value = equals < 0 ? undefined : part.slice(equals + 1);
    const yes = boolOf(value);
    if (name === "key" && value) {
      options.keys.push(value.replace(/:$/, () => "").toLowerCase());
      options.only = true;
    } else if (name === "separator" && value !== undefined) options.separator = literal(value);
    else if (name === "key_value_separator" && value !== undefined) options.keyValueSeparator = literal(value);
    else if (yes === null) return null;
    else if (name === "only") options.only = yes;
    else if (name === "unfold") options.unfold = yes;
    else if (name === "keyonly") options.keyOnly = yes;
    else if (name === "valueonly") options.valueOnly = yes;
    else return null;
  }
  return options;
}

function boolOf(value: string | undefined): boolean | null {
  if (value === undefined || /^(true|yes|on|1)$/i.test(value)) return true;
  return /^(false|no|off|0|)$/i.test(value) ? false : null;
}

function literal(text: string): string {
  return text.replace(/%(?:n|x([0-9a-fA-F]{2})|%)/g, (all, code?: string) =>
    code === undefined ? (all === "%n" ? "\n" : "%") : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
