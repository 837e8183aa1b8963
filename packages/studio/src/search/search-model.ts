/** The current search: its query and its hits so far. It outlives the view, so that the results are still there on return. */
import { signal } from "@preact/signals";
import type { GrepBody, GrepEvent, GrepHit } from "@workspace/worker/api";
import { ApiError, asApiError } from "../api/api-error.ts";
import { relative } from "../api/path.ts";
import { grep } from "../api/search.ts";
import { charRanges } from "./char-ranges.ts";

export interface Query {
  pattern: string;
  regex: boolean;
  matchCase: boolean;
  word: boolean;
  include: string;
  exclude: string;
}

export interface HitGroupData {
  path: string;
  hits: GrepHit[];
}

export interface Results {
  running: boolean;
  groups: readonly HitGroupData[];
  hits: number;
  tookMs: number;
  end?: Extract<GrepEvent, { type: "end" }>;
  error?: unknown;
}

const NONE: Results = { running: false, groups: [], hits: 0, tookMs: 0 };
const PAUSE_MS = 140;
const MAX_HITS = 2000;

export const search = {
  query: signal<Query>({ pattern: "", regex: false, matchCase: false, word: false, include: "", exclude: "" }),
  results: signal<Results>(NONE),
  searchedKey: "",

  /** Searches after a pause in typing and cancels the previous search. Returns a function that cancels this one. */
  run(workspace: string, query: Query): (() => void) | undefined {
    const key = JSON.stringify([workspace, query]);
    if (key === this.searchedKey) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      this.searchedKey = key;
      ask(workspace, query, controller.signal);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
      if (this.results.value.running) this.searchedKey = "";
    };
  },
};

async function ask(workspace: string, query: Query, signal: AbortSignal): Promise<void> {
  if (query.pattern === "") {
    search.results.value = NONE;
    return;
  }
  const started = performance.now();
  const groups: HitGroupData[] = [];
  let hits = 0;
  let drawn = 0;
  const draw = (more: Partial<Results> = {}) => {
    const tookMs = Math.round(performance.now() - started);
    if (!signal.aborted) search.results.value = { running: true, groups: [...groups], hits, tookMs, ...more };
  };
  try {
    for await (const event of grep(workspace, grepBody(query), signal)) {
      if (event.type === "error") throw new ApiError(200, event.error);
      if (event.type === "end") return draw({ running: false, end: event });
      hits++;
      addHit(groups, event);
      // Redraws at intervals: redrawing for each hit would be slower than the search.
      if (performance.now() - drawn > 50) {
        draw();
        drawn = performance.now();
      }
    }
  } catch (error) {
    draw({ running: false, error: asApiError(error) });
  }
}

function addHit(groups: HitGroupData[], found: GrepHit): void {
  const hit = { ...found, ranges: charRanges(found.text, found.ranges) };
  const path = relative(hit.path) ?? hit.path;
  const last = groups.at(-1);
  if (last?.path === path) last.hits.push(hit);
  else groups.push({ path, hits: [hit] });
}

function grepBody({ pattern, regex, matchCase, word, include, exclude }: Query): GrepBody {
  const globs = (text: string) => {
    const list = text.split(/[\s,]+/).filter(Boolean);
    return list.length === 0 ? undefined : list;
  };
  return {
    pattern,
    regex: regex || undefined,
    ignoreCase: matchCase ? undefined : true,
    word: word || undefined,
    include: globs(include),
    exclude: globs(exclude),
    context: 1,
    maxHits: MAX_HITS,
    maxBytesPerLine: 1000,
  };
}
