/** Parses the options of `%(describe:…)`. */
import type { DescribeFormat } from "./pretty-context.ts";

/** Null: not git's syntax, and the placeholder stays unchanged. */
export function describeOptions(text: string): DescribeFormat | null {
  const options = {
    match: [] as string[],
    exclude: [] as string[],
    tags: false,
    abbrev: undefined as number | undefined,
  };
  for (const part of text === "" ? [] : text.split(",")) {
    const [name = "", value] = part.split("=", 2);
    if (name === "tags") options.tags = value === undefined || /^(true|yes|on|1)$/i.test(value);
    else if (name === "abbrev" && value !== undefined && /^\d+$/.test(value)) options.abbrev = Number(value);
    else if (name === "match" && value) options.match.push(value);
    else if (name === "exclude" && value) options.exclude.push(value);
    else return null;
  }
  return options;
}
