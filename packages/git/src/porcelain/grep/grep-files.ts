/** The files that one `git grep` searches, each with its matches: of the work tree, the index, revisions, or a plain directory. */
import { splitLines } from "@workspace/text";
import { fromLatin1, toLatin1 } from "../../config/config-syntax.ts";
import { createConfig } from "../../config/create-config.ts";
import { type DiffDriver, type DiffDrivers, openDiffDrivers } from "../../diff/diff-drivers.ts";
import { useIndex } from "../../diff/staged-files.ts";
import { GitError } from "../../errors.ts";
import type { GitHost } from "../../host.ts";
import type { Oid } from "../../object/oid.ts";
import { Pathspec, parsePathspec, RECURSIVELY } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";
import { peelTags, peelTo } from "../../revision/peel.ts";
import type { GrepExpression } from "./grep-expression.ts";
import { type GrepFileOptions, type GrepFileResult, grepFile } from "./grep-file.ts";
import { directorySources, type GrepSource, indexSources, readBlob, treeSources } from "./grep-sources.ts";

export interface GrepQuery {
  readonly expression: GrepExpression;
  readonly paths: readonly string[];
  /** Levels below a pathspec; negative: all. */
  readonly maxDepth: number;
  readonly lines: GrepFileOptions;
  /** Files without a match are of interest too. */
  readonly withoutMatch: boolean;
  /** How binary files are searched: as text, for one match, or not at all. */
  readonly binary: "text" | "first" | "count" | "skip";
}

/** `ignoring`: honors ignore rules. */
export type GrepScope =
  | { readonly kind: "worktree" }
  | { readonly kind: "index" }
  | { readonly kind: "untracked"; readonly ignoring: boolean }
  | { readonly kind: "objects"; readonly objects: readonly GrepObject[] }
  | {
      readonly kind: "directory";
      readonly ignoring: boolean;
      readonly host: GitHost;
      readonly cwd: string;
      readonly env: Readonly<Record<string, string>>;
    };

export interface GrepObject {
  readonly name: string;
  readonly oid: Oid;
  /** The path of `<tree>:<path>` and `:<path>`; null: none. */
  readonly path: string | null;
}

export interface GrepFile extends GrepFileResult {
  /** Relative to the top of the work tree; the name of a blob. */
  readonly path: string;
  /** The revision as named; null: not in a tree. */
  readonly tree: string | null;
  readonly binary: boolean;
}

const NO_CONFIG = createConfig([]);

/** `repo` null: only a directory can be searched. */
export function grepFiles(repo: Repository | null, scope: GrepScope, query: GrepQuery): AsyncGenerator<GrepFile> {
  return new FileGrep(repo, query).files(scope);
}

class FileGrep {
  readonly #needle: Uint8Array | null;
  #drivers: DiffDrivers | null = null;

  constructor(
    private readonly repo: Repository | null,
    private readonly query: GrepQuery,
  ) {
    const { expression, lines, withoutMatch } = query;
    const literal = lines.invert || withoutMatch ? "" : expression.literal;
    this.#needle = literal === "" ? null : fromLatin1(literal);
  }

  async *files(scope: GrepScope): AsyncGenerator<GrepFile> {
    if (scope.kind === "directory") return yield* this.#searchAll(this.#directory(scope));
    const repo = this.repo as Repository;
    if (scope.kind === "objects") {
      for (const object of scope.objects) yield* this.#searchObject(repo, object);
      return;
    }
    if (scope.kind !== "index" && repo.workTree === null)
      throw new GitError("ESTATE", "this operation must be run in a work tree");
    await useIndex(repo);
    const spec = parsePathspec(repo, this.query.paths, { prefer: "cwd" });
    const wanted = (path: string) => this.#isNear(path, spec);
    if (scope.kind !== "untracked") return yield* this.#searchAll(indexSources(repo, scope.kind === "index", wanted));
    const position = {
      fs: repo.fs,
      top: repo.workTree as string,
      enter: (path: string) => spec.mayMatchUnder(path),
    };
    yield* this.#searchAll(directorySources(position, wanted, scope.ignoring ? repo : null));
  }

  #directory({ host, cwd, env, ignoring }: Extract<GrepScope, { kind: "directory" }>): AsyncGenerator<GrepSource> {
    const { repo } = this;
    const { paths } = this.query;
    const top = repo?.workTree ?? cwd;
    const spec = repo?.workTree
      ? parsePathspec(repo, paths, { prefer: "cwd" })
      : parsePathspec({ prefix: "", workTree: cwd, env }, paths);
    const nowhere = { fs: host.fs, gitDir: `${cwd}/.git`, config: NO_CONFIG, env };
    const rules = ignoring ? { ...(repo ?? nowhere), workTree: top } : null;
    const position = { fs: host.fs, top, enter: (path: string) => spec.mayMatchUnder(path) };
    return directorySources(position, (path) => this.#isNear(path, spec), rules);
  }

  async *#searchObject(repo: Repository, { name, oid, path }: GrepObject): AsyncGenerator<GrepFile> {
    const peeled = await peelTags(repo, oid);
    if (peeled?.type === "blob") {
      const found = await this.#search(
        { path: name, attributesOf: path, read: () => readBlob(repo, peeled.oid) },
        null,
      );
      if (found !== null) yield found;
      return;
    }
    const tree = await peelTo(repo, oid, "tree");
    if (tree === null) throw new GitError("EINVAL", `unable to grep from object of type ${peeled?.type ?? "unknown"}`);
    const spec = parsePathspec(repo, this.query.paths, { prefer: "cwd" });
    const wanted = (file: string) => this.#isNear(file, spec);
    yield* this.#searchAll(treeSources(repo, tree, spec, wanted, peeled?.type === "commit"), name);
  }

  /** Whether the path is within the depth of its pathspec; a glob reaches any depth. */
  #isNear(path: string, spec: Pathspec): boolean {
    if (!spec.matches(path)) return false;
    const { maxDepth } = this.query;
    if (maxDepth < 0) return true;
    const isUnder = (base: string) =>
      path.startsWith(base) && path.slice(base.length).split("/").length - 1 <= maxDepth;
    const items = spec.items.filter(({ exclude }) => !exclude);
    if (items.length === 0) return isUnder("");
    return items.some((item) => {
      const kind = new Pathspec([item]).match(path);
      const base = item.match;
      return kind === RECURSIVELY ? isUnder(base === "" || base.endsWith("/") ? base : `${base}/`) : kind > 0;
    });
  }

  async *#searchAll(sources: AsyncIterable<GrepSource>, tree: string | null = null): AsyncGenerator<GrepFile> {
    for await (const source of sources) {
      const found = await this.#search(source, tree);
      if (found !== null) yield found;
    }
  }

  /** Null: skipped. */
  async #search({ path, attributesOf, read }: GrepSource, tree: string | null): Promise<GrepFile | null> {
    const { binary: mode, expression, lines, withoutMatch } = this.query;
    const bytes = await read();
    if (bytes === null || (this.#needle !== null && !holds(bytes, this.#needle))) return null;
    const driver = await this.#driverOf(attributesOf);
    const binary = mode !== "text" && (driver?.binary ?? bytes.subarray(0, 8000).includes(0));
    if (binary && mode === "skip") return null;
    const options = binary && mode !== "count" ? { ...lines, firstOnly: true } : lines;
    const isHead = this.#functionHeads(driver, bytes);
    const result = grepFile(toLatin1(bytes), expression, isHead ? { ...options, isHead } : options);
    return result.hits === 0 && !withoutMatch ? null : { path, tree, binary, ...result };
  }

  /** The diff driver by attributes and configuration; null outside a repository and for an object without a path. */
  async #driverOf(path: string | null): Promise<DiffDriver | null> {
    if (this.repo === null || path === null) return null;
    this.#drivers ??= await openDiffDrivers(this.repo);
    await this.#drivers.prepare([path]);
    return this.#drivers.of(path);
  }

  #functionHeads(driver: DiffDriver | null, bytes: Uint8Array): ((index: number) => boolean) | null {
    const { functionLine, functionBody } = this.query.lines;
    const functionName = functionLine || functionBody ? driver?.functionName : undefined;
    const lines = functionName && splitLines(bytes);
    return lines ? (index) => functionName(lines, index) !== null : null;
  }
}

function holds(bytes: Uint8Array, needle: Uint8Array): boolean {
  const first = needle[0] as number;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let i = 1;
    while (i < needle.length && bytes[at + i] === needle[i]) i++;
    if (i === needle.length) return true;
  }
  return false;
}
