/**
 * Compiles ripgrep's `-g/--glob` and `--iglob`: an ordered list in which the last match takes precedence. A glob is an inverted
 * line of an ignore file: a plain glob includes a file, and one with `!` excludes it. If any glob includes, a file that no glob
 * includes is excluded, but directories are still entered. A glob without a slash matches the name at any depth.
 */
import { Matcher } from "../automaton/matcher.ts";
import { ACCEPT, ACCEPT_DIRECTORY, Nfa } from "../automaton/nfa.ts";
import { toByteString } from "../bytes.ts";
import { GlobError } from "../errors.ts";
import { MAX_PATTERN_LENGTH } from "../limits.ts";
import { buildGlob } from "./build-glob.ts";
import { parseGlob } from "./parse-glob.ts";

export interface OverrideOptions {
  /** All globs ignore case (A–Z only), as `--iglob` and `--glob-case-insensitive` do. */
  readonly ignoreCase?: boolean;
}

export type Override = string | { readonly glob: string; readonly ignoreCase: boolean };

export type OverrideDecision = "include" | "exclude" | null;

export interface Overrides {
  /** Paths are relative to the globs' directory. An excluded directory is not entered. */
  decide(path: string, isDirectory: boolean): OverrideDecision;
  /** Whether a file below this directory could still be included. ripgrep does not check this; a walker may. */
  mayContain(directory: string): boolean;
}

/** Throws a GlobError for globs that ripgrep refuses. */
export function compileOverrides(globs: readonly Override[], { ignoreCase = false }: OverrideOptions = {}): Overrides {
  const lines = globs.flatMap((entry) =>
    typeof entry === "string" ? parseLine(entry, ignoreCase) : parseLine(entry.glob, entry.ignoreCase),
  );
  const matcher = compileLines(lines);
  const including = lines.filter((line) => line.includes);
  let reach: Matcher | undefined;
  return {
    decide: (path, isDirectory) => {
      const index = matcher.match(toByteString(path), isDirectory);
      if (index >= 0) return lines[index]!.includes ? "include" : "exclude";
      return including.length > 0 && !isDirectory ? "exclude" : null;
    },
    mayContain: (directory) => {
      if (including.length === 0 || directory === "" || directory === ".") return true;
      reach ??= compileLines(including);
      return reach.matchBelow(toByteString(directory)) >= 0;
    },
  };
}

function compileLines(lines: readonly OverrideLine[]): Matcher {
  const nfa = new Nfa(lines.map(({ source }) => source).join(" "));
  for (const line of lines) nfa.starts.push(buildLine(nfa, line));
  return new Matcher(nfa);
}

interface OverrideLine {
  readonly source: string;
  readonly glob: string;
  readonly ignoreCase: boolean;
  readonly includes: boolean;
  readonly directoriesOnly: boolean;
}

/** None for a comment or an empty line. */
function parseLine(source: string, ignoreCase: boolean): OverrideLine[] {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw new GlobError(source, MAX_PATTERN_LENGTH, `longer than ${MAX_PATTERN_LENGTH}`);
  }
  let glob = source.endsWith("\\ ") ? source : trimEnd(source);
  if (glob === "" || glob.startsWith("#")) return [];
  let includes = true;
  let anchored = false;
  if (glob.startsWith("\\!") || glob.startsWith("\\#")) {
    glob = glob.slice(1);
  } else {
    includes = !glob.startsWith("!");
    if (!includes) glob = glob.slice(1);
    anchored = glob.startsWith("/");
    if (anchored) glob = glob.slice(1);
  }
  const directoriesOnly = glob.endsWith("/");
  if (directoriesOnly) glob = glob.slice(0, glob.endsWith("\\/") ? -2 : -1);
  if (!anchored && !glob.includes("/") && glob !== "**") glob = `**/${glob}`;
  // A final `/**` matches the contents, not the directory itself.
  if (glob.endsWith("/**")) glob = `${glob}/*`;
  return [{ source, glob, ignoreCase, includes, directoriesOnly }];
}

function buildLine(nfa: Nfa, { source, glob, ignoreCase, directoriesOnly }: OverrideLine): number {
  try {
    return buildGlob(nfa, parseGlob(glob), directoriesOnly ? ACCEPT_DIRECTORY : ACCEPT, { ignoreCase });
  } catch (error) {
    if (!(error instanceof GlobError)) throw error;
    // The error's position is in the rewritten glob: map it to the source.
    const written = glob.startsWith("**/") && !source.includes(glob) ? glob.slice(3) : glob;
    const shift = source.indexOf(written) - (glob.length - written.length);
    const position = Math.min(Math.max(0, error.position + shift), source.length);
    throw new GlobError(source, position, error.reason, { cause: error });
  }
}

/** Rust's `trim_end`: Unicode White_Space, which unlike JavaScript's has U+0085 and lacks U+FEFF. */
const WHITE_SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE_SPACE.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}
