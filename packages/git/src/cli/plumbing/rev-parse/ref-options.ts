/** `--all`, `--branches=…`, `--disambiguate=…`: options that print many objects. */
import type { Repository } from "../../../repository.ts";
import { hasGlob, wildmatch } from "../../../text/wildmatch.ts";
import { ageOption, split } from "./mode-options.ts";
import type { RevParseOutput } from "./output.ts";

const PREFIXES: Readonly<Record<string, string>> = {
  "--all": "refs/",
  "--branches": "refs/heads/",
  "--tags": "refs/tags/",
  "--remotes": "refs/remotes/",
};

/** Returns true if the word is such an option. */
export async function showRefs(repo: Repository, output: RevParseOutput, word: string): Promise<boolean> {
  const [name, value] = split(word);
  const age = value === undefined ? null : ageOption(repo, word);
  if (age !== null) {
    output.show(age);
    return true;
  }
  if (name === "--exclude" && value !== undefined) {
    output.excluded.push(value);
    return true;
  }
  if (name === "--disambiguate" && value !== undefined) {
    if (!/^[0-9a-f]{4,40}$/i.test(value)) return true;
    for (const oid of (await repo.odb.withPrefix(value.toLowerCase(), 100_000)).sort()) output.show(oid);
    return true;
  }
  const prefix = name === "--glob" && value !== undefined ? (value.startsWith("refs/") ? "" : "refs/") : PREFIXES[name];
  if (prefix === undefined || (name === "--all" && value !== undefined)) return false;
  const excluded = output.excluded.splice(0);
  const pattern = value === undefined ? null : prefix + (hasGlob(value) ? value : `${value.replace(/\/$/, "")}/*`);
  for (const ref of await repo.refs.list(value === undefined ? prefix : "refs/")) {
    if (pattern !== null && !wildmatch(pattern, ref.name)) continue;
    const compared = name === "--all" || name === "--glob" ? ref.name : ref.name.slice(prefix.length);
    if (excluded.some((exclude) => wildmatch(exclude, compared))) continue;
    const displayed =
      output.symbolic === "no" || name === "--all" || value !== undefined ? ref.name : ref.name.slice(prefix.length);
    await output.revision(false, ref.oid, displayed);
  }
  return true;
}
