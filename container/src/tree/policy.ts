/**
 * Decides which paths stay in the container. The user's rules apply to every path: nothing they match is synced, in either
 * direction. The defaults match directories that tools fill (`node_modules/`): there, only what commands create stays here.
 */
import { IgnoreStack, parseIgnore } from "@workspace/glob";
import { PRIVATE_DIRECTORY } from "@workspace/protocol";

/** Number of directories whose result is cached; an unsynced `node_modules` is one of them, not thousands. */
const MAX_CACHED = 100_000;

export class Policy {
  readonly text: string;
  /** How many of the first lines are defaults. */
  readonly defaults: number;
  readonly #explicit: IgnoreStack;
  readonly #all: ReturnType<typeof parseIgnore>;
  readonly #cache = new Map<string, boolean>();

  constructor(text: string, defaults: number) {
    this.text = text;
    this.defaults = defaults;
    const explicit = text.split("\n").slice(defaults).join("\n");
    this.#explicit = new IgnoreStack().add("", "ignore", parseIgnore(explicit, "policy"));
    this.#all = parseIgnore(text, "policy");
  }

  /** True if a user's rule matches the path, or it is the workspace's private directory. */
  staysHere(path: string, isDirectory: boolean): boolean {
    if (path === PRIVATE_DIRECTORY || path.startsWith(`${PRIVATE_DIRECTORY}/`)) return true;
    return this.#explicit.ignored(path, isDirectory).ignored;
  }

  /** Whether a rule matches this directory itself, regardless of its parents. */
  names(directory: string): boolean {
    let named = this.#cache.get(directory);
    if (named === undefined) {
      const bytes = Buffer.from(directory).toString("latin1");
      const rule = this.#all.last(bytes, 0, bytes.lastIndexOf("/") + 1, true);
      named = rule !== null && !rule.negated;
      if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
      this.#cache.set(directory, named);
    }
    return named;
  }
}
