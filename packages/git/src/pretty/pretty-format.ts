/**
 * The layout that `--pretty`, `--format` and `format.pretty` name: one of git's own, the user's, or an alias of the configuration.
 */
import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";

export type BuiltIn = "raw" | "medium" | "short" | "email" | "mboxrd" | "fuller" | "full" | "oneline";

export type PrettyFormat = {
  /** Each commit ends with a newline; else newlines separate commits. */
  readonly terminated: boolean;
  /** Columns of a tab in the message; 0: tabs stay. */
  readonly expandTabs: number;
  /** Its own date mode, unless one is requested. */
  readonly date?: string;
} & ({ readonly kind: BuiltIn } | { readonly kind: "user"; readonly template: string });

const BUILT_IN: Readonly<Record<string, PrettyFormat>> = {
  raw: { kind: "raw", terminated: false, expandTabs: 0 },
  medium: { kind: "medium", terminated: false, expandTabs: 8 },
  short: { kind: "short", terminated: false, expandTabs: 0 },
  email: { kind: "email", terminated: false, expandTabs: 0 },
  mboxrd: { kind: "mboxrd", terminated: false, expandTabs: 0 },
  fuller: { kind: "fuller", terminated: false, expandTabs: 8 },
  full: { kind: "full", terminated: false, expandTabs: 8 },
  oneline: { kind: "oneline", terminated: true, expandTabs: 0 },
  reference: { kind: "user", template: "%C(auto)%h (%s, %ad)", terminated: true, expandTabs: 0, date: "short" },
};

export const MEDIUM = BUILT_IN.medium as PrettyFormat;
export const ONELINE = BUILT_IN.oneline as PrettyFormat;

export function parsePrettyFormat(text: string, config: GitConfig): PrettyFormat {
  return userFormat(text) ?? named(text, text, aliasesOf(config), 0);
}

function userFormat(text: string): PrettyFormat | null {
  if (text.startsWith("format:")) return { ...USER, template: text.slice(7) };
  if (text.startsWith("tformat:")) return { ...USER, template: text.slice(8), terminated: true };
  if (text === "" || text.includes("%")) return { ...USER, template: text, terminated: true };
  return null;
}

const USER = { kind: "user", terminated: false, expandTabs: 0 } as const;

function aliasesOf({ entries }: GitConfig): Map<string, string> {
  const aliases = new Map<string, string>();
  for (const { key, value } of entries) {
    const name = key.startsWith("pretty.") ? key.slice(7) : "";
    // The configuration cannot override git's own names.
    if (name !== "" && value !== null && !Object.hasOwn(BUILT_IN, name)) aliases.set(name, value);
  }
  return aliases;
}

/** The shortest name with this prefix. */
function named(requested: string, text: string, aliases: ReadonlyMap<string, string>, depth: number): PrettyFormat {
  if (depth > aliases.size)
    throw new GitError("EINVAL", `invalid --pretty format: '${requested}' references an alias which points to itself`);
  const candidates = [...Object.keys(BUILT_IN), ...aliases.keys()].filter((name) =>
    name.toLowerCase().startsWith(text.toLowerCase()),
  );
  const name = candidates.reduce<string | undefined>(
    (best, one) => (best === undefined || one.length < best.length ? one : best),
    undefined,
  );
  if (name === undefined) throw new GitError("EINVAL", `invalid --pretty format: ${requested}`);
  const alias = aliases.get(name);
  if (alias === undefined) return BUILT_IN[name] as PrettyFormat;
  return userFormat(alias) ?? named(requested, alias, aliases, depth + 1);
}
