/**
 * `log -L`: finds the commits that changed the requested lines. Ranges pass from a commit to its parents, through renames; where
 * several children lead to one commit, their ranges are joined. If a parent of a merge has all lines unchanged, only that parent is
 * followed; otherwise all are, and the merge is shown without a patch.
 */
import { diffLines, splitLines, type TextLines } from "@workspace/text";
import type { DiffOptions } from "../../diff/diff-options.ts";
import { diffTrees } from "../../diff/diff-trees.ts";
import { exists, type FilePair } from "../../diff/file-pair.ts";
import type { LineRangeChange, Range } from "../../diff/line-range-change.ts";
import type { Oid } from "../../object/oid.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import type { Repository } from "../../repository.ts";
import type { CommitNode } from "../../revision/commit-node.ts";
import { commitTreeOid } from "../../revision/peel.ts";
import { compareText } from "../../text/bytes.ts";
import { joinRanges } from "../blame/line-range.ts";
import { mapRanges } from "./map-ranges.ts";

/** Ranges by path. */
export type TracedFiles = ReadonlyMap<string, readonly Range[]>;

interface Passed {
  readonly files: TracedFiles;
  readonly changes: readonly LineRangeChange[];
}

export class LineLog {
  readonly #waiting = new Map<Oid, TracedFiles>();
  readonly #found = new Map<Oid, readonly LineRangeChange[]>();

  constructor(
    readonly repo: Repository,
    readonly options: DiffOptions,
    readonly tip: Oid,
    readonly files: TracedFiles,
  ) {}

  begin(): void {
    this.#waiting.clear();
    this.#waiting.set(this.tip, this.files);
  }

  /** For commits that `trace` reported as changed. */
  changesOf(oid: Oid): readonly LineRangeChange[] {
    return this.#found.get(oid) ?? [];
  }

  /** Call for children first. `parents`: those to follow; `only`: the one that has all lines unchanged. */
  async trace(node: CommitNode, parents: readonly Oid[]): Promise<{ changed: boolean; only?: Oid }> {
    const files = this.#waiting.get(node.oid);
    this.#waiting.delete(node.oid);
    if (files === undefined || files.size === 0) return { changed: false };
    if (parents.length <= 1) {
      const [parent] = parents;
      const passed = await this.#pass(files, node.tree, parent ?? null);
      if (parent !== undefined) this.#give(parent, passed.files);
      if (passed.changes.length === 0) return { changed: false };
      this.#found.set(node.oid, passed.changes);
      return { changed: true };
    }
    const all: [Oid, Passed][] = [];
    for (const parent of parents) {
      const passed = await this.#pass(files, node.tree, parent);
      if (passed.changes.length === 0) {
        this.#give(parent, passed.files);
        return { changed: false, only: parent };
      }
      all.push([parent, passed]);
    }
    for (const [parent, passed] of all) this.#give(parent, passed.files);
    return { changed: true };
  }

  #give(parent: Oid, files: TracedFiles): void {
    const joined = new Map(this.#waiting.get(parent) ?? []);
    for (const [path, ranges] of files) joined.set(path, joinRanges([...(joined.get(path) ?? []), ...ranges]));
    this.#waiting.set(parent, joined);
  }

  async #pass(files: TracedFiles, tree: Oid, parent: Oid | null): Promise<Passed> {
    const pairs = await this.#pairs([...files.keys()], tree, parent);
    const before = new Map<string, readonly Range[]>();
    const changes: LineRangeChange[] = [];
    for (const path of [...files.keys()].sort(compareText)) {
      const ranges = files.get(path) as readonly Range[];
      const pair = pairs.get(path);
      if (pair === undefined) {
        before.set(path, joinRanges([...(before.get(path) ?? []), ...ranges]));
        continue;
      }
      const [old, fresh] = [await this.#lines(pair.old), await this.#lines(pair.new)];
      const mapped = mapRanges(ranges, diffLines(old, fresh, { indentHeuristic: false, trimTail: true }));
      const oldPath = exists(pair.old) ? pair.old.path : null;
      if (oldPath !== null && mapped.before.length > 0)
        before.set(oldPath, joinRanges([...(before.get(oldPath) ?? []), ...mapped.before]));
      if (mapped.touched.length > 0)
        changes.push({ oldPath, path, before: old, after: fresh, ranges, changes: mapped.touched });
    }
    return { files: before, changes };
  }

  /** The differences among the files, by current path. A file that appears may have had another name. */
  async #pairs(paths: readonly string[], tree: Oid, parent: Oid | null): Promise<Map<string, FilePair>> {
    const { repo, options } = this;
    const from = parent === null ? null : commitTreeOid((await repo.odb.need(parent, "commit")).body);
    const pathspec = parsePathspec({ ...repo, prefix: "" }, paths, { literal: true });
    const plain = await diffTrees(repo, from, tree, { ...options, pathspec, renames: "none" });
    const looks = options.renames !== "none" && from !== null && plain.pairs.some(({ status }) => status === "A");
    const { pairs } = looks ? await diffTrees(repo, from, tree, { ...options, pathspec: null }) : plain;
    const wanted = new Set(paths);
    return new Map(pairs.filter((pair) => wanted.has(pair.new.path)).map((pair) => [pair.new.path, pair]));
  }

  async #lines(side: FilePair["old"]): Promise<TextLines> {
    if (!exists(side)) return splitLines(new Uint8Array(0));
    return splitLines((await this.repo.odb.need(side.oid as Oid, "blob")).body);
  }
}
