/**
 * Configuration as the rest of the engine sees it: the files in their order, `-c` last, the last value takes
 * precedence.
 */

export type ConfigScope = "system" | "global" | "local" | "worktree" | "command";

export interface ConfigEntry {
  /** Section and variable in lower case, the subsection as written: "branch.Main.remote". */
  readonly key: string;
  /** Null: a name without "=", which is true as a boolean. */
  readonly value: string | null;
  readonly scope: ConfigScope;
  /** The file, or null for `-c` and the environment. */
  readonly file: string | null;
  /** Where it ends in the file, for errors. */
  readonly line?: number;
}

export interface GitConfig {
  readonly entries: readonly ConfigEntry[];
  get(key: string): string | undefined;
  getAll(key: string): readonly string[];
  /** git's booleans; anything else is git's error. */
  getBool(key: string): boolean | undefined;
  /** With k, m, g. */
  getInt(key: string): number | undefined;
  /** The subsections of a section: `remote` → "origin", … in the order they first occur. */
  subsections(section: string): readonly string[];
}
