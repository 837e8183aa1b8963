/**
 * The paths that a command selects. No pathspec selects all. A path must match one that includes and none that excludes; matches
 * are recorded per item, so that the command can report items without a match.
 */
import type { AttributeValue } from "../attributes/attribute-line.ts";
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";
import { wildmatch } from "../text/wildmatch.ts";
import { type ParsePathspecOptions, type PathspecItem, parsePathspecItems } from "./parse-pathspec.ts";

/** Best last. */
type MatchKind = 0 | 1 | 2 | 3;
const NO = 0;
const BY_GLOB = 1;
export const RECURSIVELY = 2;
const EXACTLY = 3;

/** Magic that not every command supports, in the order in which git names it. */
export type Magic = "literal" | "glob" | "icase" | "exclude" | "attr";

type AttributeOf = (path: string, name: string) => AttributeValue | undefined;

interface MatchOptions {
  /** The path is a directory: "dir/" matches it. */
  isDirectory?: boolean;
  /** Do not record the match. */
  quiet?: boolean;
}

export function parsePathspec(
  position: Pick<Repository, "prefix" | "workTree" | "env" | "attributeOf">,
  input: readonly string[],
  options: ParsePathspecOptions = {},
): Pathspec {
  const pathspec = new Pathspec(parsePathspecItems(position, input, options));
  pathspec.attributeOf = position.attributeOf as AttributeOf | undefined;
  return pathspec;
}

export class Pathspec {
  /** For each item, the best way it matched something. */
  readonly seen: MatchKind[];
  /** Must be set before matching if an item uses attributes. */
  attributeOf: AttributeOf | undefined;

  constructor(readonly items: readonly PathspecItem[]) {
    this.seen = items.map(() => NO);
  }

  get isEmpty(): boolean {
    return this.items.length === 0;
  }

  get needsAttributes(): boolean {
    return this.items.some(({ attributes }) => attributes.length > 0);
  }

  /** For a command that does not support them. */
  refuse(unsupported: readonly Magic[]): void {
    for (const item of this.items) {
      const used = unsupported.filter((magic) => (magic === "attr" ? item.attributes.length > 0 : item[magic]));
      if (used.length > 0) throw notSupported(item, used);
    }
  }

  matches(path: string, options: MatchOptions = {}): boolean {
    return this.match(path, options) !== NO;
  }

  match(path: string, { isDirectory = false, quiet = false }: MatchOptions = {}): MatchKind {
    if (this.items.length === 0) return RECURSIVELY;
    let best: MatchKind = NO;
    for (let i = 0; i < this.items.length; i++) {
      const item = this.items[i] as PathspecItem;
      if (item.exclude) continue;
      const kind = this.#matchItem(item, path, isDirectory);
      if (kind > best) best = kind;
      if (!quiet && kind > (this.seen[i] as MatchKind)) this.seen[i] = kind;
    }
    if (best === NO) return NO;
    for (let i = 0; i < this.items.length; i++) {
      const item = this.items[i] as PathspecItem;
      if (!item.exclude) continue;
      const kind = this.#matchItem(item, path, isDirectory);
      if (!quiet && kind > (this.seen[i] as MatchKind)) this.seen[i] = kind;
      if (kind !== NO) return NO;
    }
    return best;
  }

  /** False when nothing under the directory can match; `directory` without a slash at the end, "" for the top. */
  mayMatchUnder(directory: string): boolean {
    if (this.items.length === 0 || directory === "") return true;
    const isExcluded = this.items.some(
      (item) => item.exclude && item.attributes.length === 0 && this.#matchItem(item, directory, true) > BY_GLOB,
    );
    return !isExcluded && this.items.some((item) => !item.exclude && mayReach(item, directory));
  }

  /** Everything under the directory matches, whatever it is called. */
  matchesAllUnder(directory: string): boolean {
    if (this.items.length === 0) return true;
    if (this.items.some(({ exclude, attributes }) => exclude || attributes.length > 0)) return false;
    return this.items.some(
      (item) =>
        this.#matchItem(item, `${directory}/x`, false) === RECURSIVELY && item.literalLength === item.match.length,
    );
  }

  /** Including items without a match, which are errors. */
  unmatched(): PathspecItem[] {
    return this.items.filter(({ exclude }, i) => !exclude && this.seen[i] === NO);
  }

  #matchItem(item: PathspecItem, path: string, isDirectory: boolean): MatchKind {
    const { match, icase, prefixLength } = item;
    if (icase && !path.startsWith(match.slice(0, prefixLength))) return NO;
    if (item.attributes.length > 0 && !this.#matchAttributes(item, path)) return NO;
    if (match.length === prefixLength && path.startsWith(match)) return RECURSIVELY;
    const [wanted, name] = icase ? [match.toLowerCase(), path.toLowerCase()] : [match, path];
    if (name.startsWith(wanted)) {
      if (name.length === wanted.length) return EXACTLY;
      if (wanted.endsWith("/") || name[wanted.length] === "/") return RECURSIVELY;
    } else if (isDirectory && wanted.endsWith("/") && name === wanted.slice(0, -1)) return EXACTLY;
    return item.literalLength < match.length && matchesGlob(item, path) ? BY_GLOB : NO;
  }

  #matchAttributes({ attributes, original }: PathspecItem, path: string): boolean {
    const { attributeOf } = this;
    if (attributeOf === undefined) throw notSupported({ original }, ["attr"]);
    return attributes.every(({ name, value }) => attributeOf(path, name) === value);
  }
}

function matchesGlob({ match, literalLength, glob, icase }: PathspecItem, path: string): boolean {
  const start = path.slice(0, literalLength);
  const literal = match.slice(0, literalLength);
  if (icase ? start.toLowerCase() !== literal.toLowerCase() : start !== literal) return false;
  return wildmatch(match.slice(literalLength), path.slice(literalLength), { pathname: glob, ignoreCase: icase });
}

/** Whether a path below `directory` could match: one of the two is a prefix of the other up to the first wildcard. */
function mayReach({ match, literalLength, icase }: PathspecItem, directory: string): boolean {
  const literal = icase ? match.slice(0, literalLength).toLowerCase() : match.slice(0, literalLength);
  const under = `${icase ? directory.toLowerCase() : directory}/`;
  if (literal.startsWith(under)) return true;
  if (literalLength < match.length) return under.startsWith(literal);
  return literal === "" || under === literal || under.startsWith(literal.endsWith("/") ? literal : `${literal}/`);
}

/** git's errors for items without a match, a line each. */
export function unmatchedError(items: readonly PathspecItem[]): GitError {
  const lines = items.map(({ original }) => `pathspec '${original}' did not match any file(s) known to git`);
  return new GitError("ENOTFOUND", lines.join("\nerror: "), { prefix: "error", exitCode: 1 });
}

function notSupported({ original }: Pick<PathspecItem, "original">, magic: readonly Magic[]): GitError {
  const names = magic.map((name) => (name === "exclude" ? "'exclude' (mnemonic: '!')" : `'${name}'`));
  return new GitError("EUNSUPPORTED", `${original}: pathspec magic not supported by this command: ${names.join(", ")}`);
}
