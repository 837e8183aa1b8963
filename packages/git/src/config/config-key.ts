/** Names of variables: "section.name" or "section.any subsection.name"; only the subsection is case-sensitive. */
import { GitError } from "../errors.ts";

export interface ConfigKey {
  /** As files are compared: section and name in lower case. */
  readonly key: string;
  readonly section: string;
  readonly subsection: string | null;
  /** As it was typed, for writing. */
  readonly name: string;
  readonly typedSection: string;
}

/** Lower-cases the case-insensitive parts, without validation. */
export function canonicalKey(key: string): string {
  const first = key.indexOf(".");
  const last = key.lastIndexOf(".");
  if (first < 0) return key.toLowerCase();
  return key.slice(0, first).toLowerCase() + key.slice(first, last) + key.slice(last).toLowerCase();
}

/** Throws git's errors for an invalid key; exit code 1 for its form, as `git config` does. */
export function parseConfigKey(key: string): ConfigKey {
  const last = key.lastIndexOf(".");
  const fail = (message: string, exitCode: number) => new GitError("EINVAL", message, { prefix: "error", exitCode });
  if (last <= 0) throw fail(`key does not contain a section: ${key}`, 2);
  if (last === key.length - 1) throw fail(`key does not contain variable name: ${key}`, 2);
  const first = key.indexOf(".");
  const typedSection = key.slice(0, first);
  const name = key.slice(last + 1);
  if (!/^[0-9A-Za-z-]*$/.test(typedSection)) throw fail(`invalid key: ${key}`, 1);
  if (!/^[A-Za-z][0-9A-Za-z-]*$/.test(name)) throw fail(`invalid key: ${key}`, 1);
  const subsection = first === last ? null : key.slice(first + 1, last);
  if (subsection?.includes("\n")) throw fail(`invalid key (newline): ${key}`, 1);
  return { key: canonicalKey(key), section: typedSection.toLowerCase(), subsection, name, typedSection };
}
