/**
 * One search inside the object: walks, reads many content rows at a time, and searches one file after the other. Holds at most one
 * batch of content, yields between batches, and stops at its budget, which is counted in work and not in time.
 */
import type { GrepQuery, GrepStats } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import { searchLimits } from "../api/limits.ts";
import { isolatePool } from "../cache/memory-pool.ts";
import { ContentReader } from "../content/reader.ts";
import { selectRows } from "../store/search-contents.ts";
import { type Inode, PURGED } from "../tree/inode.ts";
import type { ReadView } from "../volume/views.ts";
import { batchesOf } from "./batches.ts";
import { ByteScan } from "./byte-scan.ts";
import { cursorPath } from "./cursor.ts";
import type { FileEnd, MatchSink, SearchOutcome } from "./engine.ts";
import { listFiles } from "./file-list.ts";
import { FileSink } from "./file-sink.ts";
import { comparePaths, type SearchFile } from "./files.ts";
import { planFor } from "./index/plan.ts";
import { IndexBacklog } from "./index/schedule.ts";
import { compileMatcher, type Matcher } from "./matcher.ts";
import { createWork, isPauseDue, pauseWork, type StepBudget, StepBudgetExceeded } from "./regex/step-budget.ts";
import { hasMark } from "./searcher/decode.ts";
import { LineSearch } from "./searcher/line-search.ts";
import { AHEAD_BYTES, readAhead } from "./searcher/read-ahead.ts";
import { type FileResult, firstLine, MAX_UNWINDOWED_BYTES, searchBytes } from "./searcher/search-file.ts";
import type { SearcherOptions } from "./searcher/searcher-options.ts";
import { type BinaryPolicy, searchWindows } from "./searcher/windows.ts";
import { emptyStats } from "./stats.ts";

/** Bytes checked for a NUL in a file without a hit, so that counting binary files is cheap. */
const BINARY_HEAD = 2 * 1024;
/** Bytes that are searched in the time that the sink takes for a line. */
const REPORT_BYTES = 128;

export class LocalSearch {
  readonly #volume: ReadView;
  readonly #query: GrepQuery;
  readonly #sink: MatchSink;
  readonly #index: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #work: StepBudget;
  readonly #matcher: Matcher;
  readonly #settings: SearcherOptions;
  readonly #stats: GrepStats;
  readonly #counts = { ignored: 0 };
  readonly #uncovered = new IndexBacklog();
  #bytesSincePause = 0;
  #stopped = false;
  #truncatedBy: SearchOutcome["truncatedBy"] = null;
  #at: string | null = null;
  #file: FileSink | null = null;

  constructor(volume: ReadView, query: GrepQuery, sink: MatchSink, signal: AbortSignal | undefined, index: boolean) {
    this.#index = index && !query.invert && sink.noMatch === undefined;
    this.#volume = volume;
    this.#query = query;
    this.#sink = sink;
    this.#signal = signal;
    this.#work = createWork(query.budget.steps);
    this.#matcher = compileMatcher(query, this.#work);
    const { invert, before, after, maxPerFile, mode } = query;
    this.#settings = { invert, before, after, maxPerFile, ranges: mode === "lines" || mode === "json" };
    this.#stats = emptyStats();
  }

  async run(): Promise<SearchOutcome> {
    this.#checkSignal();
    using _hold = this.#volume.store.services.search.index.builds.pause();
    try {
      await this.#search();
    } catch (error) {
      if (!(error instanceof StepBudgetExceeded)) throw error;
      this.#truncatedBy = "steps";
      if (this.#file?.begun)
        this.#finish(this.#file, {
          path: this.#file.path,
          binaryOffset: null,
          stoppedAtBinary: false,
          bytesSearched: 0,
          limited: false,
        });
    }
    this.#volume.store.services.search.index.builds.schedule(this.#uncovered);
    this.#stats.steps = this.#work.steps;
    this.#stats.filesIgnored = this.#counts.ignored;
    return {
      truncatedBy: this.#truncatedBy,
      stoppedAt: this.#truncatedBy === null ? null : this.#at,
      stats: this.#stats,
    };
  }

  async #search(): Promise<void> {
    for (const batch of batchesOf(this.#files(), this.#maxFileBytes, this.#stats)) {
      const size = batch.reduce((sum, { inode }) => sum + Math.min(inode.size, searchLimits.wholeBytes), 0);
      const pause = this.#between(size);
      if (pause !== undefined) await pause;
      this.#checkSignal();
      using _lease = await isolatePool.lease(size);
      await this.#searchBatch(batch);
      if (this.#stopped || this.#truncatedBy !== null) return;
    }
  }

  /** The files to search: without those before the cursor, and those that the index proves to have no match. */
  *#files(): Generator<SearchFile> {
    const after = cursorPath(this.#query.cursor);
    const plan = !this.#index ? null : planFor(this.#volume.ensureOpen(), this.#matcher.clauses);
    for (const block of listFiles(this.#volume.ensureOpen(), this.#query, this.#counts)) {
      for (const file of block) {
        if (after !== null && comparePaths(file.path, after) < 0) continue;
        const verdict = plan?.verdict(file.inode) ?? "maybe";
        if (verdict === "unknown") this.#uncovered.add(file.inode);
        if (verdict === "empty" && file.inode.size <= this.#maxFileBytes) {
          this.#stats.filesSearched++;
          this.#stats.filesSkippedByIndex++;
        } else yield file;
      }
    }
  }

  async #searchBatch(batch: readonly SearchFile[]): Promise<void> {
    const { db } = this.#volume.ensureOpen().store;
    const wanted = new Map<number, number>();
    for (const { inode } of batch) {
      const { content, size } = inode;
      if (content > 0) wanted.set(content, Math.max(size, wanted.get(content) ?? 0));
    }
    const rows = selectRows(db, wanted);
    for (const file of batch) {
      this.#at = file.path;
      if (this.#stats.bytesSearched + file.inode.size > this.#query.budget.bytes) {
        this.#truncatedBy = "bytes";
        return;
      }
      const searching = this.#searchFile(file, rows);
      if (searching !== undefined) await searching;
      if (this.#stopped) return;
      const pause = this.#between();
      if (pause !== undefined) await pause;
    }
  }

  /**
   * Returns a promise only if there is something to await: most files are small, and an await for each would cost as much as the
   * search.
   */
  #searchFile(file: SearchFile, rows: ReadonlyMap<number, Uint8Array>): Promise<void> | undefined {
    this.#stats.filesSearched++;
    const nul = this.#query.binary ? "text" : file.isExplicit ? "note" : "quit";
    const sink = new FileSink(file.path, this.#sink);
    this.#file = sink;
    const bytes = this.#bytesOf(file, rows);
    if (bytes === null)
      return this.#searchInWindows(file.inode, sink, nul === "quit" ? nul : "text").then((end) =>
        this.#searched(file, sink, nul, end),
      );
    this.#stats.bytesSearched += bytes.length;
    const first = firstLine(this.#matcher, this.#settings, bytes);
    // Files searched in windows are counted window by window.
    if (first === null || bytes.length <= MAX_UNWINDOWED_BYTES || this.#matcher.spansLines)
      this.#bytesSincePause += bytes.length;
    if (first === null) {
      this.#withoutHit(file, bytes, nul);
      return undefined;
    }
    const end = searchBytes(
      this.#matcher,
      this.#settings,
      sink,
      bytes,
      { nul, isExplicit: file.isExplicit },
      first ?? null,
      (size) => {
        this.#bytesSincePause += size;
        return this.#between();
      },
    );
    if (end instanceof Promise) return end.then((result) => this.#searched(file, sink, nul, result));
    this.#searched(file, sink, nul, end);
    return undefined;
  }

  #withoutHit({ path }: SearchFile, bytes: Uint8Array, nul: BinaryPolicy): void {
    const head = this.#sink.noMatch === undefined ? Math.min(bytes.length, BINARY_HEAD) : bytes.length;
    if (nul === "quit" && new ByteScan(bytes).hasNul(head)) this.#stats.skippedBinary++;
    else this.#sink.noMatch?.(path);
  }

  #searched({ path, inode }: SearchFile, sink: FileSink, nul: BinaryPolicy, result: FileResult): void {
    if (result.tooLong) this.#stats.skippedTooLarge++;
    const { binaryOffset, limited } = result;
    const stoppedAtBinary = nul === "quit" && binaryOffset !== null;
    if (stoppedAtBinary) this.#stats.skippedBinary++;
    this.#finish(sink, { path, binaryOffset, stoppedAtBinary, bytesSearched: inode.size, limited });
  }

  /** Searches a file too large for memory. UTF-16 would need the whole file in memory, so such a file is not searched. */
  async #searchInWindows(inode: Inode, sink: FileSink, nul: BinaryPolicy): Promise<FileResult> {
    const reader = new ContentReader(this.#volume.ensureOpen().store.db, inode);
    const head = reader.read(0, 3);
    const mark = !hasMark(head) ? 0 : head[0] === 0xef ? 3 : -1;
    if (mark < 0) return { binaryOffset: null, limited: false, tooLong: true, bytesSearched: 0 };
    const search = new LineSearch(this.#matcher, this.#settings, sink);
    const read = readAhead((start, length) => reader.read(mark + start, mark + start + length));
    const end = await searchWindows(search, read, nul, (size) => this.#windowDone(size));
    return { ...end, limited: search.limited };
  }

  #finish(sink: FileSink, file: FileEnd): void {
    this.#stats.lines += sink.lines;
    this.#stopped = sink.stopsAll;
    if (file.limited) this.#stats.filesLimited++;
    if (!sink.begun) {
      if (!file.stoppedAtBinary) this.#sink.noMatch?.(file.path);
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

  /** Null: too large to read whole, to be searched in windows. */
  #bytesOf({ inode, isExplicit }: SearchFile, rows: ReadonlyMap<number, Uint8Array>): Uint8Array | null {
    // A purged past state has no bytes to search.
    if (inode.size === 0 || inode.content === PURGED) return new Uint8Array(0);
    const row = inode.content > 0 ? rows.get(inode.content) : undefined;
    if (row !== undefined) return row.length === inode.size ? row : row.subarray(0, inode.size);
    const isLarge = inode.size > (isExplicit ? searchLimits.wholeBytes : searchLimits.batchBytes);
    if (isLarge && !this.#matcher.spansLines && !this.#mustBeHeld(inode)) return null;
    // A file that was replaced and collected since it was listed: reads its current state.
    const now = inode.content > 0 ? this.#volume.cache.inode(inode.ino) : inode;
    return now === null ? new Uint8Array(0) : this.#volume.contents.reader(now).read();
  }

  /** UTF-16 is converted to UTF-8 as a whole, then searched. */
  #mustBeHeld(inode: Inode): boolean {
    if (inode.size > searchLimits.wholeBytes) return false;
    const [a, b] = this.#volume.contents.reader(inode).read(0, 2);
    return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  }

  async #windowDone(size: number): Promise<void> {
    this.#stats.bytesSearched += size;
    this.#bytesSincePause += size;
    await this.#between(AHEAD_BYTES + AHEAD_BYTES / 4);
  }

  /** Runs between files, windows and batches, with the number of bytes to come; a promise only if there is something to await. */
  #between(coming = 0): Promise<void> | undefined {
    this.#bytesSincePause += REPORT_BYTES * (this.#file?.takeUncharged() ?? 0);
    const bytes = this.#bytesSincePause;
    const isDue = (bytes > 0 && bytes + coming > searchLimits.batchBytes) || isPauseDue(this.#work);
    return isDue ? this.#giveWay() : this.#sink.pause?.();
  }

  /** Lets other requests run, and the reader of a stream catch up. */
  async #giveWay(): Promise<void> {
    const pause = this.#sink.pause?.();
    if (pause !== undefined) await pause;
    await pauseWork(this.#work);
    this.#bytesSincePause = 0;
    this.#checkSignal();
  }

  #checkSignal(): void {
    if (this.#signal?.aborted)
      throw new FsError("ABORT_ERR", { syscall: "grep", path: this.#query.paths[0], cause: this.#signal.reason });
  }
}
