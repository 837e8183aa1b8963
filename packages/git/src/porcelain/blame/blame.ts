/**
 * Who last touched each line. Lines go from a commit to its parents as long as the parents have them, newest commit first, so that
 * each file of a commit is compared once with what came of all its children.
 */
import { type DiffLinesOptions, diffLines, splitLines, type TextLines } from "@workspace/text";
import { diffDefaults } from "../../diff/diff-options.ts";
import { diffTrees } from "../../diff/diff-trees.ts";
import { walkTrees } from "../../diff/walk-trees.ts";
import type { Oid } from "../../oid.ts";
import type { Repository } from "../../repository.ts";
import { type CommitNode, commitReader } from "../../revision/commit-node.ts";
import { DateQueue } from "../../revision/date-queue.ts";
import { peelTo } from "../../revision/peel.ts";
import { entryAtPath } from "../../revision/tree-path.ts";
import { type BlameEntry, coalesce, type Origin, splitEntry } from "./blame-entry.ts";
import { dropSmall, findMoves, type MoveSearch } from "./find-moves.ts";

export interface BlameOptions {
  readonly diff: DiffLinesOptions;
  /** Least letters and digits of a moved or copied piece; null: not looked for. */
  readonly moves: number | null;
  readonly copies: number | null;
  /** How far copies are looked for: changed files, all files where the file was created, all files everywhere. */
  readonly copyEffort: 1 | 2 | 3;
  readonly firstParent: boolean;
  /** A commit without parents is no boundary. */
  readonly root: boolean;
  /** Commits at which the search ends: what was excluded on the command line. */
  readonly isBoundary: (commit: CommitNode) => boolean;
  /** Ranges of lines, [start, end) from 0. */
  readonly ranges: readonly (readonly [number, number])[];
}

export interface BlameStart {
  /** Null: the work tree, whose content is given and whose parents are these. */
  readonly commit: Oid | null;
  readonly path: string;
  readonly mode: number;
  readonly blob: Oid | null;
  readonly content: Uint8Array;
  readonly parents: readonly Oid[];
}

export interface Blame {
  readonly entries: BlameEntry[];
  /** The same in the order they were found. */
  readonly asFound: BlameEntry[];
  /** Commits at which the search had to end. */
  readonly boundaries: ReadonlySet<Oid>;
  readonly final: TextLines;
}

export async function blame(repo: Repository, start: BlameStart, options: BlameOptions): Promise<Blame> {
  const search = new BlameSearch(repo, start, options);
  await search.run();
  const asFound = [...search.guilty];
  return { entries: coalesce(search.guilty), asFound, boundaries: search.boundaries, final: search.final };
}

interface Waiting {
  readonly seconds: number;
  readonly commit: Oid | null;
}

class BlameSearch {
  readonly guilty: BlameEntry[] = [];
  readonly boundaries = new Set<Oid>();
  readonly final: TextLines;
  readonly #origins = new Map<string, Origin[]>();
  readonly #texts = new Map<Origin, TextLines>();
  readonly #queue = new DateQueue<Waiting>();
  readonly #reader;

  constructor(
    readonly repo: Repository,
    readonly start: BlameStart,
    readonly options: BlameOptions,
  ) {
    this.final = splitLines(start.content);
    this.#reader = commitReader(repo);
    const { commit, path, mode, blob } = start;
    const origin = this.#origin(commit, path, mode, blob);
    this.#texts.set(origin, this.final);
    for (const [from, to] of options.ranges) {
      if (to > from) origin.suspects.push({ line: from, count: to - from, origin, originLine: from });
    }
  }

  async run(): Promise<void> {
    this.#queue.push({ seconds: Number.MAX_SAFE_INTEGER, commit: this.start.commit });
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      for (;;) {
        const origin = this.#origins.get(next.commit ?? "")?.find(({ suspects }) => suspects.length > 0);
        if (!origin) break;
        await this.#visit(origin);
      }
    }
  }

  async #visit(origin: Origin): Promise<void> {
    const node = origin.commit === null ? null : await this.#reader.read(origin.commit);
    if (node !== null && this.options.isBoundary(node)) {
      this.boundaries.add(node.oid);
      this.guilty.push(...origin.suspects.splice(0));
      return;
    }
    const all = node?.parents ?? this.start.parents;
    if (node !== null && all.length === 0 && !this.options.root) this.boundaries.add(node.oid);
    const parents = this.options.firstParent ? all.slice(0, 1) : all;
    const left = await this.#pass(origin, parents);
    this.guilty.push(...left.sort((a, b) => a.originLine - b.originLine));
    this.#texts.delete(origin);
  }

  /** Gives to the parents what is theirs, and returns the rest. */
  async #pass(origin: Origin, parents: readonly Oid[]): Promise<BlameEntry[]> {
    const sources: { parent: Oid; origin: Origin | null }[] = [];
    for (const parent of parents) sources.push({ parent, origin: null });
    for (const find of [this.#sameName, this.#renamed]) {
      for (const source of sources) {
        if (source.origin) continue;
        const found = await find.call(this, source.parent, origin);
        if (!found) continue;
        if (found.blob === origin.blob && found.blob !== null) {
          // The whole file is the parent's.
          this.#give(origin.suspects.splice(0).map((entry) => ({ ...entry, origin: found })));
          return [];
        }
        const isKnown = sources.some(({ origin: other }) => other !== null && other.blob === found.blob);
        if (!isKnown) source.origin = found;
      }
    }
    let entries = origin.suspects.splice(0);
    for (const source of sources) {
      if (!source.origin) continue;
      origin.previous ??= source.origin;
      entries = await this.#passTo(origin, source.origin, entries);
      if (entries.length === 0) return [];
    }
    return this.#passMoved(origin, sources, entries);
  }

  async #passTo(origin: Origin, parent: Origin, entries: readonly BlameEntry[]): Promise<BlameEntry[]> {
    const [before, after] = [await this.#text(parent), await this.#text(origin)];
    const passed: BlameEntry[] = [];
    let open = [...entries].sort((a, b) => a.originLine - b.originLine);
    let [line, parentLine] = [0, 0];
    const kept: BlameEntry[] = [];
    const takeRun = (end: number) => {
      const rest: BlameEntry[] = [];
      for (const entry of open) {
        if (entry.originLine + entry.count <= line) {
          kept.push(entry);
          continue;
        }
        const split = splitEntry(entry, line, end, parentLine, parent);
        if (split === null) rest.push(entry);
        else {
          passed.push(split.passed);
          for (const part of split.kept) (part.originLine < line ? kept : rest).push(part);
        }
      }
      open = rest;
    };
    for (const change of diffLines(before, after, { ...this.options.diff, trimTail: true })) {
      if (change.newStart > line) takeRun(change.newStart);
      line = change.newStart + change.newCount;
      parentLine = change.oldStart + change.oldCount;
    }
    takeRun(after.count);
    this.#give(passed);
    return [...kept, ...open];
  }

  async #passMoved(
    origin: Origin,
    sources: readonly { parent: Oid; origin: Origin | null }[],
    entries: BlameEntry[],
  ): Promise<BlameEntry[]> {
    const { moves, copies, diff } = this.options;
    if (moves === null) return entries;
    const search: MoveSearch = { final: this.final, options: diff, passed: [], small: [] };
    let open = dropSmall(search, entries, moves);
    for (const source of sources) {
      if (!source.origin || open.length === 0) continue;
      const candidate = { text: await this.#text(source.origin), origin: source.origin };
      open = findMoves(search, open, [candidate], moves);
    }
    if (copies !== null) {
      if (copies > moves) open = dropSmall(search, open, copies);
      else if (copies < moves) open = dropSmall(search, [...open, ...search.small.splice(0)], copies);
      for (const source of sources) {
        if (open.length === 0) break;
        open = findMoves(search, open, await this.#copySources(origin, source.parent, source.origin), copies);
      }
    }
    this.#give(search.passed);
    return [...open, ...search.small];
  }

  /** Other files of the parent that lines may have been copied from. */
  async #copySources(origin: Origin, parent: Oid, known: Origin | null) {
    const { copyEffort } = this.options;
    const everything = copyEffort === 3 || (copyEffort === 2 && (known === null || known.path !== origin.path));
    const before = await peelTo(this.repo, parent, "tree");
    const after = origin.commit === null ? before : await peelTo(this.repo, origin.commit, "tree");
    const pairs = await walkTrees(this.repo, before, after, { unmodified: everything });
    const sources: { text: TextLines; origin: Origin }[] = [];
    for (const { old } of pairs) {
      if (old.oid === null || (old.mode & 0o170000) === 0o160000 || old.path === known?.path) continue;
      const found = this.#origin(parent, old.path, old.mode, old.oid);
      sources.push({ text: await this.#text(found), origin: found });
    }
    return sources;
  }

  #give(entries: readonly BlameEntry[]): void {
    for (const entry of entries) {
      entry.origin.suspects.push(entry);
      const { commit } = entry.origin;
      this.#queue.push({ seconds: commit === null ? 0 : (this.#times.get(commit) ?? 0), commit });
    }
  }

  readonly #times = new Map<Oid, number>();

  async #sameName(parent: Oid, origin: Origin): Promise<Origin | null> {
    const tree = await this.#treeOf(parent);
    const entry = await entryAtPath(this.repo, tree, origin.path);
    if (!entry || (entry.mode & 0o170000) !== (origin.mode & 0o170000)) return null;
    return this.#origin(parent, origin.path, entry.mode, entry.oid);
  }

  async #renamed(parent: Oid, origin: Origin): Promise<Origin | null> {
    if (origin.commit === null) return null;
    const options = diffDefaults(this.repo.config, { porcelain: false });
    options.renames = "renames";
    const [before, after] = [await this.#treeOf(parent), await this.#treeOf(origin.commit)];
    options.onlyTarget = origin.path;
    const { pairs } = await diffTrees(this.repo, before, after, options);
    const pair = pairs.find(
      ({ status, new: fresh }) => (status === "R" || status === "C") && fresh.path === origin.path,
    );
    if (!pair?.old.oid) return null;
    return this.#origin(parent, pair.old.path, pair.old.mode, pair.old.oid);
  }

  async #treeOf(commit: Oid): Promise<Oid> {
    const node = await this.#reader.read(commit);
    this.#times.set(commit, node.seconds);
    return node.tree;
  }

  #origin(commit: Oid | null, path: string, mode: number, blob: Oid | null): Origin {
    const key = commit ?? "";
    const list = this.#origins.get(key) ?? [];
    const known = list.find((origin) => origin.path === path);
    if (known) return known;
    const origin: Origin = { commit, path, mode, blob, previous: null, suspects: [] };
    this.#origins.set(key, [...list, origin]);
    return origin;
  }

  async #text(origin: Origin): Promise<TextLines> {
    const known = this.#texts.get(origin);
    if (known) return known;
    const body = origin.blob === null ? new Uint8Array(0) : (await this.repo.odb.need(origin.blob, "blob")).body;
    const text = splitLines(body);
    this.#texts.set(origin, text);
    if (this.#texts.size > MAX_TEXTS) {
      const [oldest] = this.#texts.keys();
      if (oldest && oldest !== origin) this.#texts.delete(oldest);
    }
    return text;
  }
}

/** Texts kept for the next comparison; the final one is kept besides. */
const MAX_TEXTS = 32;
