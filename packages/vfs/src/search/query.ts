/** Converts a caller's options to a query: fills in defaults, and rejects invalid options before anything is read. */
import type { GrepGlob, GrepMode, GrepQuery } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import type { GrepOptions } from "../api/file-system.ts";
import type { SearchLimits } from "../api/limits.ts";

const MODES: readonly GrepMode[] = ["lines", "files", "count", "json"];

export function parseGrepOptions(
  pattern: string | readonly string[],
  path: string,
  options: GrepOptions,
  limits: SearchLimits,
): GrepQuery {
  const { mode = "lines", types, include, exclude, context = 0 } = options;
  if (!MODES.includes(mode)) throw refused(`unknown mode ${JSON.stringify(mode)}`);
  return {
    patterns: texts(pattern, "pattern", limits.patterns).map((text) => checkedPattern(text, limits)),
    paths: [path],
    cwd: path,
    regex: flag(options.regex),
    ignoreCase: flag(options.ignoreCase),
    smartCase: flag(options.smartCase),
    word: flag(options.word),
    line: flag(options.line),
    invert: flag(options.invert),
    multiline: flag(options.multiline),
    dotAll: flag(options.dotAll),
    globs: [...globs(include, "include", ""), ...globs(exclude, "exclude", "!")],
    types: texts(types ?? [], "types", limits.patterns).map((name) =>
      name.startsWith("!") ? { type: name.slice(1), exclude: true } : { type: name, exclude: false },
    ),
    hidden: flag(options.hidden),
    ignore: options.ignore ?? true,
    binary: flag(options.binary),
    before: count(options.before ?? context, "before", limits.contextLines),
    after: count(options.after ?? context, "after", limits.contextLines),
    offset: count(options.offset ?? 0, "offset"),
    cursor: options.cursor ?? null,
    maxHits: count(options.maxHits ?? limits.hits, "maxHits"),
    maxPerFile: count(options.maxPerFile ?? Number.MAX_SAFE_INTEGER, "maxPerFile"),
    maxBytesPerLine: count(options.maxBytesPerLine ?? limits.lineBytes, "maxBytesPerLine"),
    maxFileBytes: count(options.maxFileBytes ?? limits.fileBytes, "maxFileBytes"),
    maxDepth: options.maxDepth === undefined ? null : count(options.maxDepth, "maxDepth"),
    mode,
    budget: {
      bytes: count(options.budget?.bytes ?? limits.budgetBytes, "budget.bytes"),
      steps: count(options.budget?.steps ?? limits.budgetSteps, "budget.steps"),
    },
  };
}

function globs(given: string | readonly string[] | undefined, name: string, prefix: string): GrepGlob[] {
  return texts(given ?? [], name, 1000).map((glob) => ({ glob: prefix + glob, ignoreCase: false }));
}

function texts(given: unknown, name: string, max: number): string[] {
  const list = typeof given === "string" ? [given] : given;
  if (!Array.isArray(list) || !list.every((text) => typeof text === "string"))
    throw refused(`${name} must be a string or an array of strings`);
  if (list.length > max) throw refused(`${name} has more than ${max} entries`);
  return list;
}

function checkedPattern(pattern: string, { patternLength }: SearchLimits): string {
  if (pattern.length > patternLength) throw refused(`a pattern is longer than ${patternLength}`);
  if (!pattern.isWellFormed()) throw refused("a pattern is not valid Unicode");
  return pattern;
}

function flag(given: unknown): boolean {
  if (given === undefined) return false;
  if (typeof given !== "boolean") throw refused("an option that is true or false has another value");
  return given;
}

function count(given: unknown, name: string, max = Number.MAX_SAFE_INTEGER): number {
  if (!Number.isSafeInteger(given) || (given as number) < 0) throw refused(`${name} must be a whole number from 0 on`);
  if ((given as number) > max) throw refused(`${name} is more than ${max}`);
  return given as number;
}

function refused(reason: string): FsError {
  return new FsError("EINVAL", { syscall: "grep", reason });
}
