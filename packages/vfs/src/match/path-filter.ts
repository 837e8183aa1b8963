/**
 * Decides which entries of a walk a search sees: ripgrep's overrides, ignore files, types and hidden names, in its order. It is
 * called for every entry of the walk and caches the rules of the current directories, so a directory's ignore files are read once.
 * .gitignore counts with or without a repository around it (ripgrep's `--no-require-git`): a workspace is a project even without
 * `git init`, and an agent must not search node_modules there.
 */
import { IGNORE_KINDS, type IgnoreKind, type IgnoreRules, type Overrides, type TypeFilter } from "@workspace/glob";
import { isDirectory } from "../tree/inode.ts";
import { joinPath } from "../tree/path.ts";
import type { ReadView } from "../volume/views.ts";
import type { WalkEntry } from "../walk/walk.ts";
import { isRepository, readIgnoreFiles } from "./ignore-files.ts";

export interface GateOptions {
  readonly ignore: boolean;
  readonly hidden: boolean;
  readonly overrides: Overrides | null;
  /** The base of overrides: the start of the walk, or a path below or above it. */
  readonly cwd: string;
  readonly types: TypeFilter | null;
}

interface Layer {
  readonly kind: IgnoreKind;
  readonly rules: IgnoreRules;
  /** The offset, in a path from the root, of the part below the rules' directory. */
  readonly offset: number;
}

const OF_REPOSITORY: readonly IgnoreKind[] = ["gitignore", "exclude"];

export class PathFilter {
  readonly #volume: ReadView;
  readonly #options: GateOptions;
  /** By depth: the rules for the entries of the directory there, in order of precedence. */
  readonly #layers: (readonly Layer[])[];
  /** The start as a path of bytes from the root, with a slash at its end unless it is the root. */
  readonly #base: string;
  readonly #start: string;
  #ignored = 0;

  /** `start`: where the walk starts, a path without symlinks. */
  constructor(volume: ReadView, start: string, options: GateOptions) {
    this.#volume = volume;
    this.#options = options;
    this.#start = start;
    this.#base = start === "/" ? "" : `${toByteString(start.slice(1))}/`;
    this.#layers = [options.ignore ? this.#above(start) : []];
  }

  /** Number of files and directories excluded by ignore rules so far. */
  get ignored(): number {
    return this.#ignored;
  }

  /** Whether the search sees the entry; an excluded directory is not entered. */
  accepts(entry: WalkEntry): boolean {
    const directory = isDirectory(entry.inode);
    const { overrides, types, hidden } = this.#options;
    if (overrides !== null) {
      const path = this.#fromCwd(entry.relative);
      const decision = overrides.decide(path, directory);
      if (decision !== null) return decision === "include";
      if (directory && !overrides.mayContain(path)) return false;
    }
    let listed = false;
    const layers = this.#layers[entry.depth - 1] as readonly Layer[];
    if (layers.length > 0) {
      const path = this.#base + toByteString(entry.relative);
      const negated = lastRule(layers, path, directory);
      if (negated === false) {
        this.#ignored++;
        return false;
      }
      listed = negated === true;
    }
    if (types !== null && !directory) {
      const decision = types.decide(entry.name);
      if (decision === "exclude") return false;
      listed ||= decision === "include";
    }
    return hidden || listed || !entry.name.startsWith(".");
  }

  /** Call when the walk enters an accepted directory. */
  enter(entry: WalkEntry): void {
    const above = this.#layers[entry.depth - 1] as readonly Layer[];
    this.#layers.length = entry.depth;
    this.#layers.push(
      this.#options.ignore ? this.#within(entry.inode.ino, joinPath(this.#start, entry.relative), above) : above,
    );
  }

  /** The rules of the start itself and of every directory above it. */
  #above(start: string): readonly Layer[] {
    let layers: readonly Layer[] = [];
    let path = "/";
    const names = start.split("/").filter((name) => name !== "");
    for (let i = 0; i <= names.length; i++) {
      if (i > 0) path = joinPath(path, names[i - 1] as string);
      layers = this.#within(null, path, layers);
    }
    return layers;
  }

  #within(ino: number | null, path: string, above: readonly Layer[]): readonly Layer[] {
    const files = readIgnoreFiles(this.#volume, ino, path);
    const repository = isRepository(this.#volume, ino, path);
    if (files.size === 0 && !repository) return above;
    // Rules above a repository do not apply inside it.
    const retained = repository ? above.filter(({ kind }) => !OF_REPOSITORY.includes(kind)) : above;
    const offset = path === "/" ? 0 : toByteString(path).length;
    return IGNORE_KINDS.flatMap((kind) => {
      const rules = files.get(kind);
      const outer = retained.filter((layer) => layer.kind === kind);
      return rules === undefined ? outer : [{ kind, rules, offset }, ...outer];
    });
  }

  #fromCwd(relative: string): string {
    const { cwd } = this.#options;
    if (cwd === this.#start) return relative;
    const path = joinPath(this.#start, relative);
    const prefix = cwd === "/" ? "/" : `${cwd}/`;
    return path.startsWith(prefix) ? path.slice(prefix.length) : path.slice(1);
  }
}

/** Whether the deciding rule is negated; null when no rule matches. */
function lastRule(layers: readonly Layer[], path: string, directory: boolean): boolean | null {
  const name = path.lastIndexOf("/") + 1;
  for (const { rules, offset } of layers) {
    const rule = rules.last(path, offset, name, directory);
    if (rule !== null) return rule.negated;
  }
  return null;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Bytes as the units of a string, as ignore rules match. */
function toByteString(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
}
