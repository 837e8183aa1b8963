/**
 * ripgrep's file types (`-t ts`, `-T md`): each name selects globs that match a file's name. An unknown type is an expected result,
 * so it is returned as a GlobError value.
 */
import { Matcher } from "./automaton/matcher.ts";
import { ACCEPT, Nfa } from "./automaton/nfa.ts";
import { toByteString } from "./bytes.ts";
import { GlobError } from "./errors.ts";
import { buildGlob } from "./rg-glob/build-glob.ts";
import { parseGlob } from "./rg-glob/parse-glob.ts";
import { TYPE_LIST } from "./type-list.ts";

/** The type that includes all the others. */
const ALL = "all";

let table: ReadonlyMap<string, readonly string[]> | undefined;

/** All types and their globs, by name, in alphabetical order. */
export function fileTypes(): ReadonlyMap<string, readonly string[]> {
  table ??= new Map(
    TYPE_LIST.trim()
      .split("\n")
      .map((line): [string, readonly string[]] => {
        const colon = line.indexOf(": ");
        return [line.slice(0, colon), line.slice(colon + 2).split(", ")];
      }),
  );
  return table;
}

/** The globs of a type, "all" included. The error is returned, not thrown. */
export function globsForType(name: string): readonly string[] | GlobError {
  if (name === ALL) return [...fileTypes().values()].flat();
  return fileTypes().get(name) ?? new GlobError(name, 0, "unrecognized file type");
}

export interface TypeSelection {
  readonly type: string;
  /** `-T`: files of this type are left out. */
  readonly exclude?: boolean;
}

export interface TypeFilter {
  /** For a file; directories have no type. Null if no selection applies. */
  decide(path: string): "include" | "exclude" | null;
}

/** The last matching selection takes precedence; if one includes, a file of no selected type is excluded. */
export function compileTypes(selections: readonly TypeSelection[]): TypeFilter | GlobError {
  const nfa = new Nfa(selections.map(({ type }) => type).join(" "));
  const excludes: boolean[] = [];
  for (const { type, exclude = false } of selections) {
    const globs = globsForType(type);
    if (globs instanceof GlobError) return globs;
    const starts = globs.map((glob) => buildGlob(nfa, parseGlob(glob), ACCEPT, { ignoreCase: false }));
    nfa.starts.push(nfa.anyOf(starts));
    excludes.push(exclude);
  }
  const matcher = new Matcher(nfa);
  const unmatched = excludes.includes(false) ? "exclude" : null;
  return {
    decide: (path) => {
      const selection = matcher.match(toByteString(path.slice(path.lastIndexOf("/") + 1)), false);
      if (selection < 0) return unmatched;
      return excludes[selection] ? "exclude" : "include";
    },
  };
}
