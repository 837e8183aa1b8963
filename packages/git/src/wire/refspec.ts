/** `+refs/heads/*:refs/remotes/origin/*`: maps ref names of one side to those of the other. */
import { GitError } from "../errors.ts";
import { type Oid, parseOid } from "../object/oid.ts";
import { isRefName } from "../refs/ref-name.ts";

export interface Refspec {
  /** As it was typed. */
  readonly text: string;
  readonly force: boolean;
  /** `^refs/…`: excludes matching refs. */
  readonly negative: boolean;
  /** "" in a push deletes; in a fetch it is HEAD. */
  readonly source: string;
  /** Null: no colon. "" is a colon with nothing after it. */
  readonly target: string | null;
  readonly pattern: boolean;
  /** `:` alone: the branches that both sides have. */
  readonly matching: boolean;
}

export function parseRefspec(text: string, use: "fetch" | "push"): Refspec {
  const invalid = () => new GitError("EINVAL", `invalid refspec '${text}'`);
  let rest = text;
  const force = rest.startsWith("+");
  if (force) rest = rest.slice(1);
  const negative = !force && rest.startsWith("^");
  if (negative) rest = rest.slice(1);
  const colon = rest.lastIndexOf(":");
  const source = colon < 0 ? rest : rest.slice(0, colon);
  const target = colon < 0 ? null : rest.slice(colon + 1);
  const pattern = source.includes("*");
  if (negative && (target !== null || source === "" || parseOid(source) !== null)) throw invalid();
  if (target !== null && target !== "" && target.includes("*") !== pattern) throw invalid();
  if (source.split("*").length > 2 || (target ?? "").split("*").length > 2) throw invalid();
  if (use === "fetch" && source !== "" && source !== "@" && parseOid(source) === null && !isName(source, pattern))
    throw invalid();
  if (target !== null && target !== "" && !isName(target, pattern)) throw invalid();
  if (use === "push" && source === "" && (target === null || target === "") && text !== ":" && text !== "+:")
    throw invalid();
  const matching = use === "push" && source === "" && target === "";
  return {
    text,
    force,
    negative,
    source: source === "@" || (use === "fetch" && source === "") ? "HEAD" : source,
    target,
    pattern,
    matching,
  };
}

function isName(name: string, pattern: boolean): boolean {
  return isRefName(name, { oneLevel: true, pattern });
}

/** The part of `name` that the star matches, or null if the pattern does not match. */
export function matchPattern(pattern: string, name: string): string | null {
  const star = pattern.indexOf("*");
  if (star < 0) return pattern === name ? "" : null;
  const before = pattern.slice(0, star);
  const after = pattern.slice(star + 1);
  if (name.length < before.length + after.length || !name.startsWith(before) || !name.endsWith(after)) return null;
  return name.slice(before.length, name.length - after.length);
}

export function fillPattern(pattern: string, part: string): string {
  return pattern.replace("*", () => part);
}

/** The name on the other side for a name on this one, by the first refspec that matches; null: none. */
export function mapName(refspecs: readonly Refspec[], name: string): { name: string; force: boolean } | null {
  if (isExcluded(refspecs, name)) return null;
  for (const { source, target, force, negative } of refspecs) {
    if (negative || target === null || target === "") continue;
    const part = matchPattern(source, name);
    if (part !== null) return { name: fillPattern(target, part), force };
  }
  return null;
}

/** The name on the other side that maps to a name here; null: none. */
export function refspecSource(refspecs: readonly Refspec[], name: string): string | null {
  for (const { source, target, negative } of refspecs) {
    const part = target && !negative ? matchPattern(target, name) : null;
    if (part === null) continue;
    const found = fillPattern(source, part);
    if (!isExcluded(refspecs, found)) return found;
  }
  return null;
}

export function isExcluded(refspecs: readonly Refspec[], name: string): boolean {
  return refspecs.some(({ negative, source }) => negative && matchPattern(source, name) !== null);
}

/** The order in which a short name is looked up, as for revisions. */
const LOOKUP = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"] as const;

export function refnameMatch(short: string, name: string): boolean {
  return LOOKUP.some((prefix) => prefix + short === name);
}

export function findRemoteRef<Ref extends { name: string; oid: Oid | null }>(
  refs: ReadonlyMap<string, Ref>,
  name: string,
): Ref | null {
  for (const prefix of LOOKUP) {
    const ref = refs.get(`${prefix}${name}`);
    if (ref !== undefined && ref.oid !== null) return ref;
  }
  return refs.get(`refs/remotes/${name}/HEAD`) ?? null;
}

/** Prefixes to request from a protocol 2 server, so that it need not list all its refs; empty: everything. */
export function refPrefixes(refspecs: readonly Refspec[], tags: boolean): string[] {
  const prefixes = new Set<string>();
  for (const { source, pattern, negative } of refspecs) {
    if (negative || parseOid(source) !== null) continue;
    if (pattern) prefixes.add(source.slice(0, source.indexOf("*")));
    else for (const prefix of LOOKUP) prefixes.add(`${prefix}${source}`);
  }
  if (prefixes.size > 0 && tags) prefixes.add("refs/tags/");
  return [...prefixes];
}
