/**
 * `GitConfig` over a list of entries: an index by key, built once; the last value takes precedence.
 */
import { canonicalKey } from "./config-key.ts";
import { needBool, needInt } from "./config-value.ts";
import type { ConfigEntry, GitConfig } from "./git-config.ts";

export function createConfig(entries: readonly ConfigEntry[]): GitConfig {
  const byKey = new Map<string, (string | null)[]>();
  for (const { key, value } of entries) {
    const values = byKey.get(key);
    if (values) values.push(value);
    else byKey.set(key, [value]);
  }
  const values = (key: string) => byKey.get(canonicalKey(key)) ?? [];
  return {
    entries,
    get: (key) => {
      const last = values(key).at(-1);
      return last === null ? "" : last;
    },
    getAll: (key) => values(key).map((value) => value ?? ""),
    getBool: (key) => {
      const last = values(key).at(-1);
      return last === undefined ? undefined : needBool(canonicalKey(key), last);
    },
    getInt: (key) => {
      const last = values(key).at(-1);
      return last === undefined ? undefined : needInt(canonicalKey(key), last);
    },
    subsections: (section) => {
      const found = new Set<string>();
      const start = `${section.toLowerCase()}.`;
      for (const { key } of entries) {
        const end = key.lastIndexOf(".");
        if (key.startsWith(start) && end >= start.length) found.add(key.slice(start.length, end));
      }
      return [...found];
    },
  };
}
