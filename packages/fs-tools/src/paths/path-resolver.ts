/**
 * Makes a model's paths absolute and confines them to one root: it normalizes `..`, follows links, and requires that they end
 * inside the root, also for files that do not exist yet. Deny globs apply to the requested name and to its target.
 */
import type { FileStat } from "@cloudflare/workspace";
import { isInside, type PathRefusal, type PathRules } from "@workspace/glob";
import { ToolError } from "../errors.ts";

/** What is needed to follow links; absent for a store without links. */
export interface LinkReader {
  /** Synchronous, for a path that exists or could; null: use the asynchronous path. */
  lookup?(path: string): { readonly path: string; readonly stat: FileStat | null } | null;
  realpath(path: string): Promise<string>;
  readlink?(path: string): Promise<string>;
}

/** A checked path and its target, resolved in the same step. */
export interface ResolvedPath {
  readonly path: string;
  /** Without links. */
  readonly real: string;
  /** Null: not found. */
  readonly stat: FileStat | null;
}

const MAX_LINKS = 40;
const MAX_PATH = 4096;

export class PathResolver {
  /** The prefix of every path inside. */
  readonly #inside: string;

  constructor(
    readonly root: string,
    readonly cwd: string,
    readonly rules: PathRules,
    readonly links: LinkReader | null,
  ) {
    this.#inside = root === "/" ? root : `${root}/`;
  }

  /** Absolute and inside the root, by text only. */
  absolute(given: string, base: string = this.cwd): string {
    if (given.includes("\0")) throw new ToolError("INVALID_INPUT", "A path cannot hold a NUL character.");
    if (given.length > MAX_PATH) throw new ToolError("INVALID_INPUT", `A path has at most ${MAX_PATH} characters.`);
    const path = normalizePath(given.startsWith("/") ? given : `${base}/${given}`);
    if (!path.startsWith(this.#inside) && path !== this.root) throw outside(given, this.root);
    return path;
  }

  /** Checks synchronously, as most calls can; null: use the asynchronous path. `changes`: as `toWrite`, else as `toRead`. */
  now(given: string, changes = false): ResolvedPath | null {
    const path = this.absolute(given);
    const found = this.#root === undefined ? null : (this.links?.lookup?.(path) ?? null);
    if (found === null || this.#root === undefined) return null;
    this.#allow(path, this.#inRoot(found.path, this.#root, given), changes);
    return { path, real: found.path, stat: found.stat };
  }

  /** For reading: may be missing, but neither outside nor denied. */
  toRead(given: string): string | Promise<string> {
    return this.now(given)?.path ?? this.#check(given, false);
  }

  /**
   * For reading or removing the entry at a path itself: a link that leads out or in a circle is still a link, and can only be
   * removed by its name.
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

  /** The path of a link that does not lead inside; any other error is rethrown. */
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

  /** For writing: must also be among the host's writable paths. */
  toWrite(given: string): string | Promise<string> {
    return this.now(given, true)?.path ?? this.#check(given, true);
  }

  /** For lists: omitted rather than refused. */
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

  /** Rewrites a path without links to start at the root as given. */
  #inRoot(real: string, root: string, given: string): string {
    if (!isInside(real, root)) throw outside(given, this.root);
    return root === this.root ? real : `${this.root}${real.slice(root.length)}`;
  }

  /** Checks the given name and its target. */
  #allow(path: string, place: string, changes: boolean): void {
    const { rules } = this;
    if (!rules.hasDenials && !rules.limitsWrites) return;
    for (const name of path === place ? [path] : [path, place]) {
      const refusal = rules.refusal(name);
      if (refusal === "DENIED" || (changes && refusal === "NOT_WRITABLE")) throw refusedPath(path, refusal);
    }
  }

  /** Resolved once: a root that a command replaced by a link must not open the link's target to the tools. */
  #root: string | undefined;

  async #realRoot(): Promise<string> {
    const root = this.links === null ? this.root : await realTarget(this.links, this.root);
    return (this.#root ??= root);
  }
}

/** The target of a path with every link followed; missing parts stay as written. `depth`: links followed so far. */
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

/** A part that is empty, `.` or `..`. */
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
