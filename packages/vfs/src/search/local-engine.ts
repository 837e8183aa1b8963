/**
 * The engine inside the object: walks, reads content rows many at a time, and searches them one file after the other. Holds at
 * most one batch of content, gives way between batches, and stops at its budget, which is counted in work and not in time.
 */
import type { GrepQuery, GrepStats } from "@workspace/protocol";
import { ContentReader } from "../content/reader.ts";
import { FsError } from "../errors.ts";
import type { Inode } from "../inode.ts";
import { searchLimits } from "../limits.ts";
import { isolatePool } from "../memory-pool.ts";
import { selectRowsUpTo } from "../store/search-contents.ts";
import type { Volume } from "../volume.ts";
import { batchesOf } from "./batches.ts";
import { cursorPath } from "./cursor.ts";
import type { FileEnd, MatchSink, SearchEnd, SearchEngine } from "./engine.ts";
import { filesOf } from "./file-list.ts";
import { FileSink } from "./file-sink.ts";
import { comparePaths, type SearchFile } from "./files.ts";
import { IndexPlan } from "./index/plan.ts";
import { holdBuilding, Uncovered } from "./index/schedule.ts";
import { compileMatcher, type Matcher } from "./matcher.ts";
import { OutOfSteps, type Work } from "./regex/dfa.ts";
import { hasMark } from "./searcher/decode.ts";
import { LineSearch } from "./searcher/line-search.ts";
import { type FileResult, isWithoutHit, searchBytes } from "./searcher/search-file.ts";
import type { Settings } from "./searcher/settings.ts";
import { searchWindows } from "./searcher/windows.ts";
import { emptyStats } from "./stats.ts";

export interface LocalEngineOptions {
  /** False: look at every file, and build nothing. The answers are the same. */
  index?: boolean;
}

export function createLocalEngine(volume: Volume, { index = true }: LocalEngineOptions = {}): SearchEngine {
  return {
    name: "local",
    search: (query, sink, signal) => new LocalSearch(volume, query, sink, signal, index).run(),
  };
}

/** Where a NUL byte is looked for in a file that has no hit, so that the count of binary files is cheap. */
const BINARY_HEAD = 8 * 1024;

class LocalSearch {
  readonly #volume: Volume;
  readonly #query: GrepQuery;
  readonly #sink: MatchSink;
  readonly #index: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #work: Work;
  readonly #matcher: Matcher;
  readonly #settings: Settings;
  readonly #stats: GrepStats;
  readonly #counts = { ignored: 0 };
  readonly #uncovered = new Uncovered();
  #bytesAtPause = 0;
  #stepsAtPause = 0;
  #stopped = false;
  #truncatedBy: SearchEnd["truncatedBy"] = null;
  #at: string | null = null;
  #file: FileSink | null = null;

  constructor(volume: Volume, query: GrepQuery, sink: MatchSink, signal: AbortSignal | undefined, index: boolean) {
    this.#index = index && !query.invert && sink.missed === undefined;
    this.#volume = volume;
    this.#query = query;
    this.#sink = sink;
    this.#signal = signal;
    this.#work = { steps: 0, limit: query.budget.steps };
    this.#matcher = compileMatcher(query, this.#work);
    const { invert, before, after, maxPerFile, mode } = query;
    this.#settings = { invert, before, after, maxPerFile, ranges: mode === "lines" || mode === "json" };
    this.#stats = emptyStats();
  }

  async run(): Promise<SearchEnd> {
    this.#checkSignal();
    using _hold = holdBuilding(this.#volume);
    try {
      await this.#search();
    } catch (error) {
      if (!(error instanceof OutOfSteps)) throw error;
      this.#truncatedBy = "steps";
      if (this.#file?.begun)
        this.#finish(this.#file, {
          path: this.#file.path,
          binaryOffset: null,
          gaveUp: false,
          bytesSearched: 0,
          limited: false,
        });
    }
    this.#uncovered.cover(this.#volume);
    this.#stats.steps = this.#work.steps;
    this.#stats.filesIgnored = this.#counts.ignored;
    return {
      truncatedBy: this.#truncatedBy,
      stoppedAt: this.#truncatedBy === null ? null : this.#at,
      stats: this.#stats,
    };
  }

  async #search(): Promise<void> {
    const { maxPerFile } = this.#query;
    if (maxPerFile === 0) return;
    for (const batch of batchesOf(this.#files(), this.#maxFileBytes, this.#stats)) {
      const size = batch.reduce((sum, { inode }) => sum + Math.min(inode.size, searchLimits.wholeBytes), 0);
      {
        using _lease = await isolatePool.lease(size);
        await this.#searchBatch(batch);
      }
      if (this.#stopped || this.#truncatedBy !== null) return;
      await this.#giveWay();
    }
  }

  /** What is to be searched: not what lies before the cursor, and not what the index proves to have no match. */
  *#files(): Generator<SearchFile> {
    const after = cursorPath(this.#query.cursor);
    const plan = !this.#index ? null : new IndexPlan(this.#volume.open(), this.#matcher.clauses);
    for (const file of filesOf(this.#volume.open(), this.#query, this.#counts)) {
      if (after !== null && comparePaths(file.path, after) < 0) continue;
      const verdict = plan?.verdict(file.inode) ?? "maybe";
      if (verdict === "unknown") this.#uncovered.add(file.inode);
      if (verdict === "empty" && file.inode.size <= this.#maxFileBytes) {
        this.#stats.filesSearched++;
        this.#stats.filesProvedEmpty++;
      } else yield file;
    }
  }

  async #searchBatch(batch: readonly SearchFile[]): Promise<void> {
    const { db } = this.#volume.open();
    const ids: number[] = [];
    let largest = 0;
    for (const { inode } of batch) {
      if (inode.content > 0) ids.push(inode.content);
      largest = Math.max(largest, inode.size);
    }
    const rows = ids.length === 0 ? new Map<number, Uint8Array>() : selectRowsUpTo(db, ids, 2 * largest);
    for (const file of batch) {
      this.#at = file.path;
      if (this.#stats.bytesSearched + file.inode.size > this.#query.budget.bytes) {
        this.#truncatedBy = "bytes";
        return;
      }
      await this.#searchFile(file, rows);
      if (this.#stopped) return;
      const pause = this.#between();
      if (pause !== undefined) await pause;
    }
  }

  async #searchFile(file: SearchFile, rows: ReadonlyMap<number, Uint8Array>): Promise<void> {
    const { inode, named } = file;
    this.#stats.filesSearched++;
    const nul = this.#query.binary ? "text" : named ? "note" : "quit";
    const sink = new FileSink(file.path, this.#sink);
    this.#file = sink;
    let result: FileResult;
    const bytes = this.#bytesOf(file, rows);
    if (bytes === null) result = await this.#searchInWindows(inode, sink, nul === "quit");
    else {
      this.#stats.bytesSearched += bytes.length;
      if (isWithoutHit(this.#matcher, this.#settings, bytes)) {
        const head = this.#sink.missed === undefined ? BINARY_HEAD : bytes.length;
        if (nul === "quit" && bytes.subarray(0, head).includes(0)) this.#stats.skippedBinary++;
        else this.#sink.missed?.(file.path);
        return;
      }
      result = await searchBytes(this.#matcher, this.#settings, sink, bytes, nul, () => this.#between());
    }
    if (result.tooLong) this.#stats.skippedTooLarge++;
    if (result.binaryOffset !== null && nul === "quit") this.#stats.skippedBinary++;
    const gaveUp = nul === "quit" && result.binaryOffset !== null;
    this.#finish(sink, { ...result, path: file.path, gaveUp, bytesSearched: inode.size });
  }

  /** A file that is too large to be held. One in UTF-16 would have to be: it is not searched. */
  async #searchInWindows(inode: Inode, sink: FileSink, quits: boolean): Promise<FileResult> {
    const reader = new ContentReader(this.#volume.open().db, inode);
    const head = reader.read(0, 3);
    const mark = !hasMark(head) ? 0 : head[0] === 0xef ? 3 : -1;
    if (mark < 0) return { binaryOffset: null, limited: false, tooLong: true, bytesSearched: 0 };
    const search = new LineSearch(this.#matcher, this.#settings, sink);
    const read = (start: number, length: number) => reader.read(mark + start, mark + start + length);
    const end = await searchWindows(search, read, quits, (size) => this.#windowDone(size));
    return { ...end, limited: search.limited };
  }

  #finish(sink: FileSink, file: FileEnd): void {
    this.#stats.lines += sink.lines;
    this.#stopped = sink.stopsAll;
    if (file.limited) this.#stats.filesLimited++;
    if (!sink.begun) {
      if (!file.gaveUp) this.#sink.missed?.(file.path);
      return;
    }
    this.#stats.filesWithHits++;
    const goOn = this.#sink.end(file);
    this.#stopped ||= !goOn;
  }

  /** A match across lines needs the whole file in memory. */
  get #maxFileBytes(): number {
    const { maxFileBytes } = this.#query;
    return this.#matcher.spansLines ? Math.min(maxFileBytes, searchLimits.multilineBytes) : maxFileBytes;
  }

  /** Null: too large to be held whole, to be searched in windows. */
  #bytesOf({ inode }: SearchFile, rows: ReadonlyMap<number, Uint8Array>): Uint8Array | null {
    if (inode.size === 0) return new Uint8Array(0);
    const row = inode.content > 0 ? rows.get(inode.content) : undefined;
    if (row !== undefined) return row.length === inode.size ? row : row.subarray(0, inode.size);
    if (inode.size > searchLimits.wholeBytes && !this.#matcher.spansLines) return null;
    // A file that was replaced and collected since it was listed: what it is now.
    const now = inode.content > 0 ? this.#volume.cache.inode(inode.ino) : inode;
    return now === null ? new Uint8Array(0) : new ContentReader(this.#volume.db, now).read();
  }

  async #windowDone(size: number): Promise<void> {
    this.#stats.bytesSearched += size;
    await this.#between();
  }

  /** Between files and windows: a promise only when there is something to wait for. */
  #between(): Promise<void> | undefined {
    const isDue =
      this.#stats.bytesSearched - this.#bytesAtPause >= searchLimits.batchBytes ||
      this.#work.steps - this.#stepsAtPause > searchLimits.pauseSteps;
    return isDue ? this.#giveWay() : this.#sink.pause?.();
  }

  /** Lets other requests in, and whoever reads a stream catch up. */
  async #giveWay(): Promise<void> {
    const { bytesSearched } = this.#stats;
    const due =
      bytesSearched - this.#bytesAtPause >= searchLimits.batchBytes * 0.75 ||
      this.#work.steps - this.#stepsAtPause > searchLimits.pauseSteps;
    const pause = this.#sink.pause?.();
    if (pause !== undefined) await pause;
    if (due) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      this.#bytesAtPause = bytesSearched;
      this.#stepsAtPause = this.#work.steps;
    }
    this.#checkSignal();
  }

  #checkSignal(): void {
    if (this.#signal?.aborted)
      throw new FsError("ABORT_ERR", { syscall: "grep", path: this.#query.paths[0], cause: this.#signal.reason });
  }
}
