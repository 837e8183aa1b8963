/**
 * Combines all ignore files of a tree. Precedence: first the kind of file, in ripgrep's order (.rgignore, .ignore, .gitignore,
 * .git/info/exclude, global excludes; for git alone this is git's order), then the deepest directory, then the last line of a file.
 * Everything in an ignored directory is ignored, whatever other rules match.
 */
import { toByteString } from "../bytes.ts";
import { MAX_FRAMES } from "../limits.ts";
import type { IgnoreRules } from "./ignore-rules.ts";

/** The kinds of ignore files, by precedence. */
export const IGNORE_KINDS = ["rgignore", "ignore", "gitignore", "exclude", "global"] as const;

export type IgnoreKind = (typeof IGNORE_KINDS)[number];

export interface IgnoreVerdict {
  readonly ignored: boolean;
  /** The rule that decided, a negated one included; absent when none matched. */
  readonly rule?: { readonly source: string; readonly line: number; readonly pattern: string };
}

/** Rules that apply somewhere: `offset` is where, in a path there, the part below their directory starts. */
interface Layer {
  readonly kind: IgnoreKind;
  readonly rules: IgnoreRules;
  readonly offset: number;
}

/** The rules for the entries of one directory. */
interface Frame {
  /** In order of precedence. */
  readonly layers: readonly Layer[];
  /** Set when the directory itself is ignored. */
  readonly verdict: IgnoreVerdict | null;
}

const NOT_IGNORED: IgnoreVerdict = { ignored: false };
/** Kinds that stop at the root of a repository; "global" starts there. */
const OF_REPOSITORY: ReadonlySet<IgnoreKind> = new Set<IgnoreKind>(["gitignore", "exclude"]);

/** Paths are relative to the top of the tree, "" being the top. */
export class IgnoreStack {
  readonly #files = new Map<string, Map<IgnoreKind, IgnoreRules>>();
  readonly #repositories = new Set<string>();
  readonly #frames = new Map<string, Frame>();

  /** Adds the rules of a file in `directory` (for "exclude", of the repository there), in place of earlier ones. */
  add(directory: string, kind: IgnoreKind, rules: IgnoreRules): this {
    const key = toByteString(directory);
    const files = this.#files.get(key) ?? new Map<IgnoreKind, IgnoreRules>();
    this.#files.set(key, files.set(kind, rules));
    this.#frames.clear();
    return this;
  }

  /** A repository begins in `directory`: .gitignore and exclude files above it do not apply inside. */
  addRepository(directory: string): this {
    this.#repositories.add(toByteString(directory));
    this.#frames.clear();
    return this;
  }

  /** Whether the entry is ignored, by itself or through a parent directory. */
  ignored(path: string, isDirectory: boolean): IgnoreVerdict {
    const bytes = toByteString(path);
    const slash = bytes.lastIndexOf("/");
    const frame = this.#frame(slash < 0 ? "" : bytes.slice(0, slash));
    return frame.verdict ?? decide(frame.layers, bytes, slash + 1, isDirectory);
  }

  #frame(directory: string): Frame {
    const known = this.#frames.get(directory);
    if (known) return known;
    if (this.#frames.size >= MAX_FRAMES) this.#frames.clear();
    // Top down and iterative, so that a deep path costs no stack.
    let frame: Frame = { layers: this.#layersOf("", []), verdict: null };
    this.#frames.set("", frame);
    for (let end = directory.indexOf("/"), start = 0; start < directory.length; end = directory.indexOf("/", start)) {
      const path = end < 0 ? directory : directory.slice(0, end);
      frame = this.#frames.get(path) ?? this.#below(frame, path, start);
      this.#frames.set(path, frame);
      start = path.length + 1;
    }
    return frame;
  }

  #below(parent: Frame, directory: string, name: number): Frame {
    if (parent.verdict) return parent;
    const verdict = decide(parent.layers, directory, name, true);
    if (verdict.ignored) return { layers: [], verdict };
    return { layers: this.#layersOf(directory, parent.layers), verdict: null };
  }

  #layersOf(directory: string, above: readonly Layer[]): readonly Layer[] {
    const files = this.#files.get(directory);
    const isRepository = this.#repositories.has(directory);
    if (!files && !isRepository) return above;
    const offset = directory === "" ? 0 : directory.length + 1;
    const retained = isRepository ? above.filter(({ kind }) => !OF_REPOSITORY.has(kind)) : above;
    return IGNORE_KINDS.flatMap((kind) => {
      const rules = files?.get(kind);
      const outer = retained.filter((layer) => layer.kind === kind);
      return rules ? [{ kind, rules, offset }, ...outer] : outer;
    });
  }
}

function decide(layers: readonly Layer[], path: string, name: number, isDirectory: boolean): IgnoreVerdict {
  for (const { rules, offset } of layers) {
    const rule = rules.last(path, offset, name, isDirectory);
    if (!rule) continue;
    const { line, pattern, negated } = rule;
    return { ignored: !negated, rule: { source: rules.source, line, pattern } };
  }
  return NOT_IGNORED;
}
