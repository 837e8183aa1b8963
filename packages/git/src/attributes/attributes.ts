/**
 * Looks up gitattributes of paths. Precedence, highest first: .git/info/attributes, the .gitattributes of the path's directory,
 * those of its parent directories, the user's file, the built-in attributes. Reads files in bulk for the requested directories;
 * lookups are then synchronous.
 */

import type { Repository } from "../repository.ts";
import { absolutePath } from "../text/absolute-path.ts";
import { decode } from "../text/bytes.ts";
import { type AttributeLine, type AttributeState, type AttributeValue, parseAttributes } from "./attribute-line.ts";

export interface Attributes {
  /** Reads the files needed for these paths. */
  prepare(paths: Iterable<string>): Promise<void>;
  /** `path` with a slash at the end is a directory. */
  get(path: string, name: string): AttributeValue | undefined;
  /** Every specified attribute, in git's order. */
  all(path: string): Map<string, AttributeValue>;
  /** True if no file assigns an attribute in the prepared directories. */
  readonly isEmpty: boolean;
}

export interface AttributesOptions {
  /** Takes precedence over the work tree: the future .gitattributes while files are written or merged. */
  coming?: (path: string) => Promise<Uint8Array | null>;
  /** The content of a staged .gitattributes, if the work tree has none. */
  staged?: (path: string) => Promise<Uint8Array | null>;
}

type AttributeSource = Pick<Repository, "fs" | "gitDir" | "workTree" | "config" | "env" | "warn"> & {
  readonly commonDir?: string;
};

const BUILT_IN = "[attr]binary -diff -merge -text";
const MAX_BYTES = 100 * 1024 * 1024;

export async function openAttributes(repo: AttributeSource, options: AttributesOptions = {}): Promise<Attributes> {
  const ignoreCase = repo.config.getBool("core.ignorecase") ?? false;
  const { warn } = repo;
  const complain = (text: string) => warn?.(text, "");
  const read = async (path: string | undefined, source: string): Promise<AttributeLine[]> => {
    if (path === undefined) return [];
    const bytes = await repo.fs.readFile(absolutePath(path, repo.workTree ?? repo.gitDir)).catch(() => null);
    return bytes === null ? [] : parseAttributes(decode(bytes), { source, macros: true, ignoreCase, warn, complain });
  };
  const info = `${repo.commonDir ?? repo.gitDir}/info/attributes`;
  const user = userFile(repo);
  const files = new AttributeFiles(
    repo,
    parseAttributes(BUILT_IN, { source: "[builtin]", macros: true }),
    await read(user, user ?? ""),
    await read(info, info),
    options,
    ignoreCase,
  );
  await files.prepare([""]);
  return files;
}

function userFile({ config, env }: AttributeSource): string | undefined {
  const configured = config.get("core.attributesfile");
  if (configured !== undefined)
    return configured.startsWith("~/") ? `${env.HOME ?? ""}${configured.slice(1)}` : configured;
  if (env.XDG_CONFIG_HOME) return `${env.XDG_CONFIG_HOME}/git/attributes`;
  return env.HOME ? `${env.HOME}/.config/git/attributes` : undefined;
}

class AttributeFiles implements Attributes {
  /** By directory: "" or "dir/". */
  readonly #directories = new Map<string, readonly AttributeLine[]>();
  readonly #macros = new Map<string, readonly AttributeState[]>();
  /** In order of first appearance, which is the order of `check-attr -a`. */
  readonly #names = new Set<string>();
  #count = 0;

  constructor(
    private readonly repo: AttributeSource,
    private readonly builtIn: readonly AttributeLine[],
    private readonly user: readonly AttributeLine[],
    private readonly info: readonly AttributeLine[],
    private readonly options: AttributesOptions,
    private readonly ignoreCase: boolean,
  ) {
    for (const lines of [builtIn, user]) this.#learn(lines);
    this.#count = user.length + info.length;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  async prepare(paths: Iterable<string>): Promise<void> {
    const wanted = new Set<string>();
    for (const path of paths) {
      let end = path.lastIndexOf("/");
      for (;;) {
        const directory = end < 0 ? "" : path.slice(0, end + 1);
        if (this.#directories.has(directory) || wanted.has(directory)) break;
        wanted.add(directory);
        if (end < 0) break;
        end = path.lastIndexOf("/", end - 1);
      }
    }
    if (wanted.size === 0) return;
    const directories = [...wanted].sort((a, b) => a.length - b.length);
    const contents = await this.#read(directories.map((directory) => `${directory}.gitattributes`));
    directories.forEach((directory, i) => {
      const content = contents[i];
      const lines = content ? this.#parse(content, directory) : [];
      this.#count += lines.length;
      this.#directories.set(directory, lines);
      this.#learn(lines);
      if (directory === "") this.#learn(this.info);
    });
  }

  get(path: string, name: string): AttributeValue | undefined {
    return this.#collect(path, name).get(name);
  }

  all(path: string): Map<string, AttributeValue> {
    const found = this.#collect(path, null);
    const ordered = new Map<string, AttributeValue>();
    for (const name of this.#names) {
      const value = found.get(name);
      if (value !== undefined) ordered.set(name, value);
    }
    return ordered;
  }

  #parse(content: Uint8Array, directory: string): AttributeLine[] {
    const source = `${directory}.gitattributes`;
    if (content.length >= MAX_BYTES) {
      this.repo.warn?.(`ignoring overly large gitattributes file '${source}'`);
      return [];
    }
    const macros = directory === "";
    return parseAttributes(decode(content), {
      source,
      directory,
      macros,
      ignoreCase: this.ignoreCase,
      warn: this.repo.warn,
      complain: (text) => this.repo.warn?.(text, ""),
    });
  }

  async #read(paths: readonly string[]): Promise<(Uint8Array | null)[]> {
    const { coming, staged } = this.options;
    const { workTree, fs } = this.repo;
    const first = coming ? await each(paths, coming) : paths.map(() => null);
    if (workTree !== null) {
      const missing = paths.flatMap((_, i) => (first[i] === null ? [i] : []));
      const read = await fs.readMany(missing.map((i) => `${workTree}/${paths[i]}`));
      for (const [at, i] of missing.entries()) first[i] = read[at] ?? null;
      for (const i of missing)
        if (first[i] !== null) first[i] = await this.#unlessLink(paths[i] as string, first[i] as Uint8Array);
    }
    if (staged) {
      for (const [i, path] of paths.entries()) if (first[i] === null) first[i] = await staged(path);
    }
    return first;
  }

  /** A .gitattributes that is a symbolic link is not followed. */
  async #unlessLink(path: string, content: Uint8Array): Promise<Uint8Array | null> {
    const { fs, workTree, warn } = this.repo;
    const stat = await fs.lstat(`${workTree}/${path}`).catch(() => null);
    if (stat?.type !== "symlink") return content;
    warn?.(`unable to access '${path}': Too many levels of symbolic links`);
    return null;
  }

  #learn(lines: readonly AttributeLine[]): void {
    for (const { macro, states } of lines) {
      if (macro !== null) {
        this.#names.add(macro);
        this.#macros.set(macro, states);
      }
      for (const { name } of states) this.#names.add(name);
    }
  }

  /**
   * The first match wins: files in order of precedence, the lines of each from last to first. With `only`, the search can stop
   * early.
   */
  #collect(path: string, only: string | null): Map<string, AttributeValue | undefined> {
    const found = new Map<string, AttributeValue | undefined>();
    const isDirectory = path.endsWith("/");
    const plain = isDirectory ? path.slice(0, -1) : path;
    for (const lines of this.#layers(plain)) {
      for (let i = lines.length - 1; i >= 0; i--) {
        const { matches, states } = lines[i] as AttributeLine;
        if (matches?.(plain, isDirectory)) this.#take(states, found);
        if (only !== null && found.has(only)) return found;
      }
    }
    return found;
  }

  *#layers(path: string): Generator<readonly AttributeLine[]> {
    yield this.info;
    for (let end = path.lastIndexOf("/"); ; end = path.lastIndexOf("/", end - 1)) {
      const lines = this.#directories.get(end < 0 ? "" : path.slice(0, end + 1));
      if (lines !== undefined) yield lines;
      if (end <= 0) break;
    }
    yield this.user;
    yield this.builtIn;
  }

  /** Applies assignments from last to first. A macro that is set expands to its attributes; each macro of a chain expands once. */
  #take(states: readonly AttributeState[], found: Map<string, AttributeValue | undefined>): void {
    const waiting = [...states];
    for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
      if (found.has(state.name)) continue;
      found.set(state.name, state.value);
      if (state.value === true) waiting.push(...(this.#macros.get(state.name) ?? []));
    }
  }
}

async function each<T>(paths: readonly string[], ask: (path: string) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (const path of paths) answers.push(await ask(path));
  return answers;
}
