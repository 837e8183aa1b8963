/**
 * What a suite is: rows to time, operations to count, and what each must reach, as data. A suite file is read twice: in Node
 * for labels, goals and budgets, and in workerd for the work itself, so it imports nothing of either runtime.
 */
import type { FsSubject } from "./contender.ts";

/** What a run is made of; the worker regenerates everything from it. */
export interface Params {
  seed: number;
  /** Number of small files. */
  files: number;
  /** Mean bytes of a small file. */
  size: number;
  /** Bytes of the one large file. */
  largeBytes: number;
  /** Where repositories can be cloned from, for the suite that does. */
  gitOrigin?: string;
}

/** How many times faster than the peer ours must be: `atLeast` is ≥, `above` is >. */
export type Goal = { atLeast: number } | { above: number };

export interface Row<Load> {
  id: string;
  label: string;
  /** How many calls `run` makes; the report adds calls per second. */
  calls?: number;
  /** Rows of one group run in order on one fresh object. */
  group: string;
  /** By contender id; a peer without a goal is reported only. */
  goals: Readonly<Record<string, Goal>>;
  /** Not timed; leads to the state that `run` starts from. */
  prepare?(subject: FsSubject, load: Load): Promise<void>;
  /** Throws when the answer is wrong: a contender that loses work is not called fast. */
  run(subject: FsSubject, load: Load): Promise<void>;
  /** Not timed; throws when `run` did not do what it says. */
  verify?(subject: FsSubject, load: Load): Promise<void>;
}

/** The most an operation of ours may cost; what is absent is not limited. */
export interface Budget {
  statements: number;
  rowsRead?: number;
  rowsWritten?: number;
}

export interface CountRow<Load> {
  id: string;
  label: string;
  budget: Budget;
  /** The object is restarted before, so nothing but its root is in memory. */
  cold?: boolean;
  /** Not counted. */
  prepare?(subject: FsSubject, load: Load): Promise<void>;
  run(subject: FsSubject, load: Load): Promise<unknown>;
}

export interface Suite<Load = unknown> {
  name: string;
  title: string;
  /** Made once per set of params, before any clock runs. */
  load(params: Params): Load;
  rows: readonly Row<Load>[];
  /** The harness makes repositories and serves them: `params.gitOrigin`. */
  needsGitServer?: true;
  /** Group → contender id → the most rounds it takes part in, for work that takes it very long. */
  fewerRounds?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Fills the object that operations are counted on. */
  beforeCounts(subject: FsSubject, load: Load): Promise<void>;
  counts: readonly CountRow<Load>[];
}

/** Keeps a suite's own `Load` type inside its file; the harness only passes loads back to where they came from. */
export function defineSuite<Load>(suite: Suite<Load>): Suite {
  return suite as unknown as Suite;
}
