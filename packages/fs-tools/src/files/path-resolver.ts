/**
 * Paths as a model writes them, made absolute and held inside one root: `..` is folded, links are followed and must end inside, also
 * for files that do not exist yet. Deny-globs hold for the name given and for the place it leads to.
 */
import type { FileStat } from "@cloudflare/workspace";
import { isInside, type PathRefusal, type PathRules } from "@workspace/glob";
import { ToolError } from "../errors.ts";

/** What is needed to follow links; a store without links has none of it. */
export interface LinkReader {
  /** At once, of a path that exists or could; null: the long way will tell. */
  lookup?(path: string): { readonly path: string; readonly stat: FileStat | null } | null;
  realpath(path: string): Promise<string>;
  readlink?(path: string): Promise<string>;
}

/** A path that was checked, and what it leads to: looked up in the same step. */
export interface ResolvedPath {
  readonly path: string;
  /** Without links. */
  readonly real: string;
  /** Null: nothing is there. */
  readonly stat: FileStat | null;
}

const MAX_LINKS = 40;
const MAX_PATH = 4096;

export class PathResolver {
  /** What every path inside begins with. */
  readonly #inside: string;

  constructor(
    readonly root: string,
    readonly cwd: string,
    readonly rules: PathRules,
    readonly links: LinkReader | null,
  ) {
    this.#inside = root === "/" ? root : `${root}/`;
  }

  /** Absolute and inside the root, by its letters alone. */
  absolute(given: string, base: string = this.cwd): string {
    if (given.includes("\0")) throw new ToolError("INVALID_INPUT", "A path cannot hold a NUL character.");
    if (given.length > MAX_PATH) throw new ToolError("INVALID_INPUT", `A path has at most ${MAX_PATH} characters.`);
    const path = normalizePath(given.startsWith("/") ? given : `${base}/${given}`);
    if (!path.startsWith(this.#inside) && path !== this.root) throw outside(given, this.root);
    return path;
  }

  /** Checked at once, as most calls can be; null: only the long way can tell. `changes`: as `toWrite`, else as `toRead`. */
  now(given: string, changes = false): ResolvedPath | null {
    const path = this.absolute(given);
    const found = this.#root === undefined ? null : (this.links?.lookup?.(path) ?? null);
    if (found === null || this.#root === undefined) return null;
    this.#allow(path, this.#inRoot(found.path, this.#root, given), changes);
    return { path, real: found.path, stat: found.stat };
  }

  /** To look at: exists or not, but neither outside nor denied. */
  toRead(given: string): string | Promise<string> {
    return this.now(given)?.path ?? this.#check(given, false);
  }

  /**
   * To look at, or to take away, what is at a path itself: a link that leads out or in a circle is still a link, and the only way to be
   * rid of it is by its name.
   */
  async toEntry(given: string, { changes = false }: { changes?: boolean } = {}): Promise<string> {
    try {
      return await (changes ? this.toWrite(given) : this.toRead(given));
    } catch (error) {
      const path = this.absolute(given);
      this.#allow(path, await this.#placeOfLink(path, error), changes);
      return path;
    }
  }

  /** Where a link lies that leads nowhere inside; any other error stays what it is. */
  async #placeOfLink(path: string, error: unknown): Promise<string> {
    const { code } = error as { code?: unknown };
    if (this.links?.readlink === undefined || path === this.root || (code !== "ELOOP" && code !== "OUTSIDE_ROOT"))
      throw error;
    const parent = await realTarget(this.links, dirname(path));
    const place = `${parent === "/" ? "" : parent}${path.slice(path.lastIndexOf("/"))}`;
    const root = this.#root ?? (await this.#realRoot());
    if (!isInside(place, root)) throw error;
    await this.links.readlink(place).catch(() => {
      throw error;
    });
    return root === this.root ? place : `${this.root}${place.slice(root.length)}`;
  }

  /** To change: also among what the host made writable. */
  toWrite(given: string): string | Promise<string> {
    return this.now(given, true)?.path ?? this.#check(given, true);
  }

  /** For lists: left out rather than refused. */
  isDenied(path: string): boolean {
    if (!path.startsWith(this.#inside) && path !== this.root) return true;
    return this.rules.hasDenials && this.rules.visibility(path) === "denied";
  }

  async #check(given: string, changes: boolean): Promise<string> {
    const path = this.absolute(given);
    const { links } = this;
    const real = links === null ? path : (links.lookup?.(path)?.path ?? (await realTarget(links, path)));
    const root = this.#root ?? (await this.#realRoot());
    this.#allow(path, this.#inRoot(real, root, given), changes);
    return path;
  }

  /** Where a place without links lies, said from the root as it was given. */
  #inRoot(real: string, root: string, given: string): string {
    if (!isInside(real, root)) throw outside(given, this.root);
    return root === this.root ? real : `${this.root}${real.slice(root.length)}`;
  }

  /** The name given, and the place that it leads to. */
  #allow(path: string, place: string, changes: boolean): void {
    const { rules } = this;
    if (!rules.hasDenials && !rules.limitsWrites) return;
    for (const name of path === place ? [path] : [path, place]) {
      const refusal = rules.refusal(name);
      if (refusal === "DENIED" || (changes && refusal === "NOT_WRITABLE")) throw refusedPath(path, refusal);
    }
  }

  /** Asked once: a root that a command made a link to elsewhere must not open that place to the tools. */
  #root: string | undefined;

  async #realRoot(): Promise<string> {
    const root = this.links === null ? this.root : await realTarget(this.links, this.root);
    return (this.#root ??= root);
  }
}

/** Where a path leads once every link is followed; what does not exist stays as it is written. `depth`: links followed so far. */
async function realTarget(links: LinkReader, path: string, depth = 0): Promise<string> {
  if (path === "/") return "/";
  if (depth > MAX_LINKS) throw new ToolError("ELOOP", `${path} goes through too many links.`);
  try {
    return await links.realpath(path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ELOOP") throw new ToolError("ELOOP", `${path} leads in a circle of links.`);
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
  }
  const parent = await realTarget(links, dirname(path), depth);
  const here = `${parent === "/" ? "" : parent}${path.slice(path.lastIndexOf("/"))}`;
  const target = await links.readlink?.(here).catch(() => undefined);
  if (target === undefined) return here;
  return realTarget(links, normalizePath(target.startsWith("/") ? target : `${parent}/${target}`), depth + 1);
}

/** A part that is empty, a dot or two. */
const FOLDABLE = /\/(?:\.{0,2})(?:\/|$)/;

export function normalizePath(path: string): string {
  if (path.startsWith("/") && !FOLDABLE.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function dirname(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function outside(given: string, root: string): ToolError {
  return new ToolError(
    "OUTSIDE_ROOT",
    `${JSON.stringify(given.slice(0, 200))} is outside ${root}. Use a path inside it.`,
  );
}

function refusedPath(path: string, refusal: Exclude<PathRefusal, "OUTSIDE_ROOT">): ToolError {
  return new ToolError(refusal, `${path} ${REFUSALS[refusal]}`);
}

const REFUSALS = {
  DENIED: "is off limits here: the host keeps it from all tools.",
  NOT_WRITABLE: "is read-only here: the host allows changes elsewhere only.",
};
