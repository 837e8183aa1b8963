/**
 * Paths as a model writes them, made absolute and held inside one root: `..` is folded, links are followed and must end inside, also
 * for files that do not exist yet. Deny-globs hold for the name given and for the place it leads to.
 */
import { ToolError } from "../errors.ts";
import type { AccessRules } from "./access-rules.ts";

/** What is needed to follow links; a store without links has none of it. */
export interface LinkReader {
  /** At once, of a path that exists or could; null: the long way will tell. */
  lookup?(path: string): string | null;
  realpath(path: string): Promise<string>;
  readlink?(path: string): Promise<string>;
}

const MAX_LINKS = 40;
const MAX_PATH = 4096;

export class ToolPaths {
  constructor(
    readonly root: string,
    readonly cwd: string,
    readonly rules: AccessRules,
    readonly links: LinkReader | null,
  ) {}

  /** Absolute and inside the root, by its letters alone. */
  absolute(given: string, base: string = this.cwd): string {
    if (given.includes("\0")) throw new ToolError("INVALID_INPUT", "A path cannot hold a NUL character.");
    if (given.length > MAX_PATH) throw new ToolError("INVALID_INPUT", `A path has at most ${MAX_PATH} characters.`);
    const path = fold(given.startsWith("/") ? given : `${base}/${given}`);
    if (!isInside(path, this.root)) throw outside(given, this.root);
    return path;
  }

  /** To look at: exists or not, but neither outside nor denied. */
  async toRead(given: string): Promise<string> {
    const path = this.absolute(given);
    await this.#check(path, given);
    return path;
  }

  /**
   * To look at, or to take away, what is at a path itself: a link that leads out or in a circle is still a link, and the only way to be
   * rid of it is by its name.
   */
  async toEntry(given: string, options: { changes?: boolean } = {}): Promise<string> {
    try {
      return await (options.changes ? this.toWrite(given) : this.toRead(given));
    } catch (error) {
      const path = this.absolute(given);
      const place = await this.#placeOfLink(path, error);
      for (const one of [path, place]) {
        const name = this.relative(one);
        if (this.rules.denies(name)) throw denied(path);
        if (options.changes && !this.rules.allowsWrite(name)) throw notWritable(path);
      }
      return path;
    }
  }

  /** Where a link lies that leads nowhere inside; any other error stays what it is. */
  async #placeOfLink(path: string, error: unknown): Promise<string> {
    const { code } = error as { code?: unknown };
    if (this.links?.readlink === undefined || path === this.root || (code !== "ELOOP" && code !== "OUTSIDE_ROOT"))
      throw error;
    const parent = await realTarget(this.links, directoryOf(path));
    const place = `${parent === "/" ? "" : parent}${path.slice(path.lastIndexOf("/"))}`;
    const root = this.#root ?? (await this.#realRoot());
    if (!isInside(place, root)) throw error;
    await this.links.readlink(place).catch(() => {
      throw error;
    });
    return root === this.root ? place : `${this.root}${place.slice(root.length)}`;
  }

  /** To change: also among what the host made writable. */
  async toWrite(given: string): Promise<string> {
    const path = this.absolute(given);
    const real = await this.#check(path, given);
    if (!this.rules.allowsWrite(this.relative(path)) || !this.rules.allowsWrite(this.relative(real)))
      throw notWritable(path);
    return path;
  }

  /** For lists: left out rather than refused. */
  isHidden(path: string): boolean {
    return !isInside(path, this.root) || this.rules.denies(this.relative(path));
  }

  canWrite(path: string): boolean {
    return !this.isHidden(path) && this.rules.allowsWrite(this.relative(path));
  }

  relative(path: string): string {
    if (path === this.root) return "";
    return this.root === "/" ? path.slice(1) : path.slice(this.root.length + 1);
  }

  async #check(path: string, given: string): Promise<string> {
    const { links } = this;
    const real = links === null ? path : (links.lookup?.(path) ?? (await realTarget(links, path)));
    const root = this.#root ?? (await this.#realRoot());
    if (!isInside(real, root)) throw outside(given, this.root);
    const inRoot = root === this.root ? real : `${this.root}${real.slice(root.length)}`;
    if (this.rules.denies(this.relative(path)) || this.rules.denies(this.relative(inRoot))) throw denied(path);
    return inRoot;
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
  const parent = await realTarget(links, directoryOf(path), depth);
  const here = `${parent === "/" ? "" : parent}${path.slice(path.lastIndexOf("/"))}`;
  const target = await links.readlink?.(here).catch(() => undefined);
  if (target === undefined) return here;
  return realTarget(links, fold(target.startsWith("/") ? target : `${parent}/${target}`), depth + 1);
}

export function isInside(path: string, root: string): boolean {
  return path === root || root === "/" || path.startsWith(`${root}/`);
}

/** A part that is empty, a dot or two. */
const FOLDABLE = /\/(?:\.{0,2})(?:\/|$)/;

export function fold(path: string): string {
  if (path.startsWith("/") && !FOLDABLE.test(path)) return path;
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

function outside(given: string, root: string): ToolError {
  return new ToolError(
    "OUTSIDE_ROOT",
    `${JSON.stringify(given.slice(0, 200))} is outside ${root}. Use a path inside it.`,
  );
}

function denied(path: string): ToolError {
  return new ToolError("DENIED", `${path} is off limits here: the host keeps it from all tools.`);
}

function notWritable(path: string): ToolError {
  return new ToolError("NOT_WRITABLE", `${path} is read-only here: the host allows changes elsewhere only.`);
}
