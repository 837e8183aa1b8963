/**
 * The last commit that touched each line. Lines pass from a commit to its parents while the parents have them, newest commit first,
 * so that each file of a commit is compared once, with the lines from all its children. In reverse they pass to the children,
 * oldest first: the last commit that had each line.
 */
import { type DiffLinesOptions, diffLines, splitLines, type TextLines } from "@workspace/text";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import type { CommitNode } from "../../revision/commit-node.ts";
import { DateQueue } from "../../revision/date-queue.ts";
import { type BlameEntry, coalesce, type Origin, splitEntry } from "./blame-entry.ts";
import { dropSmall, findMoves, type MoveSearch } from "./find-moves.ts";
import { LineGuesser } from "./guess-lines.ts";
import { Origins } from "./origins.ts";

export interface BlameOptions {
  readonly diff: DiffLinesOptions;
  /** Minimum number of letters and digits in a moved or copied piece; null: no search. */
  readonly moves: number | null;
  readonly copies: number | null;
  /** Where to look for copies: changed files, all files when the file was created, all files always. */
  readonly copyEffort: 1 | 2 | 3;
  readonly firstParent: boolean;
  /** A root commit is no boundary. */
  readonly root: boolean;
  /** Commits at which the search ends: those excluded on the command line. */
  readonly isBoundary: (commit: CommitNode) => boolean;
  /** Ranges of lines, [start, end) from 0. */
  readonly ranges: readonly (readonly [number, number])[];
  /** Commits whose changes are ignored. */
  readonly ignored?: ReadonlySet<Oid>;
  /** In reverse: the children of each commit, used as its parents. */
  readonly children?: ReadonlyMap<Oid, readonly Oid[]>;
}

export interface BlameStart {
  /** Null: the work tree, with the given content and parents. */
  readonly commit: Oid | null;
  readonly path: string;
  readonly mode: number;
  readonly blob: Oid | null;
  readonly content: Uint8Array;
  readonly parents: readonly Oid[];
}

export interface Blame {
  readonly entries: BlameEntry[];
  /** The same entries in the order found. */
  readonly asFound: BlameEntry[];
  /** Commits at which the search ended. */
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

interface BlameSource {
  readonly parent: Oid;
  origin: Origin | null;
}

class BlameSearch {
  readonly guilty: BlameEntry[] = [];
  readonly boundaries = new Set<Oid>();
  readonly final: TextLines;
  readonly #origins: Origins;
  readonly #queue = new DateQueue<Waiting>();

  constructor(
    repo: Repository,
    readonly start: BlameStart,
    readonly options: BlameOptions,
  ) {
    this.final = splitLines(start.content);
    this.#origins = new Origins(repo);
    const { commit, path, mode, blob } = start;
    const origin = this.#origins.of(commit, path, mode, blob);
    this.#origins.keep(origin, this.final);
    for (const [from, to] of options.ranges) {
      if (to > from) origin.suspects.push({ line: from, count: to - from, origin, originLine: from });
    }
  }

  async run(): Promise<void> {
    this.#queue.push({ seconds: Number.MAX_SAFE_INTEGER, commit: this.start.commit });
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      for (;;) {
        const origin = this.#origins.suspected(next.commit);
        if (!origin) break;
        await this.#visit(origin);
      }
    }
  }

  async #visit(origin: Origin): Promise<void> {
    const { children, firstParent, isBoundary, root } = this.options;
    const node = origin.commit === null ? null : await this.#origins.reader.read(origin.commit);
    if (node !== null && isBoundary(node)) {
      this.boundaries.add(node.oid);
      if (!children) {
        this.guilty.push(...origin.suspects.splice(0));
        return;
      }
    }
    const all = node?.parents ?? this.start.parents;
    if (node !== null && all.length === 0 && !root) this.boundaries.add(node.oid);
    const parents = children ? (children.get(node?.oid as Oid) ?? []) : firstParent ? all.slice(0, 1) : all;
    const left = await this.#pass(origin, parents);
    this.guilty.push(...left.sort((a, b) => a.originLine - b.originLine));
    this.#origins.forget(origin);
  }

  /** Passes lines to the parents that have them, and returns the rest. */
  async #pass(origin: Origin, parents: readonly Oid[]): Promise<BlameEntry[]> {
    const origins = this.#origins;
    const sources = parents.map((parent): BlameSource => ({ parent, origin: null }));
    for (const find of [origins.sameName, origins.renamed]) {
      for (const source of sources) {
        if (source.origin) continue;
        const found = await find.call(origins, source.parent, origin);
        if (!found) continue;
        if (found.blob === origin.blob && found.blob !== null) {
          // The parent has the identical file.
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
    if (origin.commit !== null && this.options.ignored?.has(origin.commit)) {
      for (const source of sources) {
        if (source.origin) entries = await this.#passGuessed(origin, source.origin, entries);
      }
    }
    return this.#passMoved(origin, sources, entries);
  }

  async #passTo(origin: Origin, parent: Origin, entries: readonly BlameEntry[]): Promise<BlameEntry[]> {
    const [before, after] = [await this.#origins.text(parent), await this.#origins.text(origin)];
    const passed: BlameEntry[] = [];
    let open = [...entries].sort((a, b) => a.originLine - b.originLine);
    let [line, parentLine] = [0, 0];
    const retained: BlameEntry[] = [];
    const takeRun = (end: number) => {
      const rest: BlameEntry[] = [];
      for (const entry of open) {
        if (entry.originLine + entry.count <= line) {
          retained.push(entry);
          continue;
        }
        const split = splitEntry(entry, line, end, parentLine, parent);
        if (split === null) rest.push(entry);
        else {
          passed.push(split.passed);
          for (const part of split.retained) (part.originLine < line ? retained : rest).push(part);
        }
      }
      open = rest;
    };
    for (const change of this.#changes(before, after)) {
      if (change.newStart > line) takeRun(change.newStart);
      line = change.newStart + change.newCount;
      parentLine = change.oldStart + change.oldCount;
    }
    takeRun(after.count);
    this.#give(passed);
    return [...retained, ...open];
  }

  async #passMoved(origin: Origin, sources: readonly BlameSource[], entries: BlameEntry[]): Promise<BlameEntry[]> {
    const { moves, copies, copyEffort, diff } = this.options;
    if (moves === null) return entries;
    const search: MoveSearch = { final: this.final, options: diff, passed: [], small: [] };
    let open = dropSmall(search, entries, moves);
    for (const source of sources) {
      if (!source.origin || open.length === 0) continue;
      const candidate = { text: await this.#origins.text(source.origin), origin: source.origin };
      open = findMoves(search, open, [candidate], moves);
    }
    if (copies !== null) {
      if (copies > moves) open = dropSmall(search, open, copies);
      else if (copies < moves) open = dropSmall(search, [...open, ...search.small.splice(0)], copies);
      for (const source of sources) {
        if (open.length === 0) break;
        const { parent, origin: known } = source;
        const everything = copyEffort === 3 || (copyEffort === 2 && (known === null || known.path !== origin.path));
        const candidates = await this.#origins.copySources(origin, parent, known, everything);
        open = findMoves(search, open, candidates, copies);
      }
    }
    this.#give(search.passed);
    return [...open, ...search.small];
  }

  /** Passes lines of an ignored commit to the parent lines they derive from; the others stay and are marked. */
  async #passGuessed(origin: Origin, parent: Origin, entries: readonly BlameEntry[]): Promise<BlameEntry[]> {
    const [before, after] = [await this.#origins.text(parent), await this.#origins.text(origin)];
    const passed: BlameEntry[] = [];
    const kept: BlameEntry[] = [];
    let open = [...entries];
    const guesser = new LineGuesser(before, after);
    for (const { oldStart, oldCount, newStart, newCount } of this.#changes(before, after)) {
      const isInside = ({ originLine, count }: BlameEntry) =>
        originLine < newStart + newCount && originLine + count > newStart;
      const inside = open.filter(isInside);
      if (inside.length === 0) continue;
      open = open.filter((entry) => !isInside(entry));
      const created = { start: newStart, count: newCount };
      const guesses = guesser.guess({ start: oldStart, count: oldCount }, created);
      for (const entry of inside) {
        for (let i = 0; i < entry.count; i++) {
          const [line, originLine] = [entry.line + i, entry.originLine + i];
          const guess = guesses[originLine - newStart] ?? -1;
          if (guess < 0) kept.push({ ...entry, line, originLine, count: 1, unblamable: true });
          else passed.push({ ...entry, line, count: 1, origin: parent, originLine: guess, ignored: true });
        }
      }
    }
    this.#give(coalesce(passed));
    return [...open, ...coalesce(kept)];
  }

  #changes(before: TextLines, after: TextLines) {
    return diffLines(before, after, { ...this.options.diff, trimTail: true });
  }

  #give(entries: readonly BlameEntry[]): void {
    const direction = this.options.children ? -1 : 1;
    for (const entry of entries) {
      entry.origin.suspects.push(entry);
      const { commit } = entry.origin;
      this.#queue.push({ seconds: commit === null ? 0 : direction * this.#origins.secondsOf(commit), commit });
    }
  }
}
