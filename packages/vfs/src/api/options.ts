/** The options of every verb: one table for the file system, for history and for their clients over RPC. */

import {
  any,
  boundsOf,
  type OptionCheck as Check,
  checkOptions,
  type OptionsOf,
  type OptionTable,
  positiveBound,
  version,
} from "./check-options.ts";
import type { DiffOptions, LogOptions, RestoreOptions, UndoOptions } from "./history.ts";
import { defaultRetention } from "./limits.ts";

const boolean: Check = (value) => typeof value === "boolean";
const string: Check = (value) => typeof value === "string";
const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const positive: Check = (value) => count(value) && value !== 0;
/** For unsupported options, whose default may be written out. */
const no: Check = (value) => value === false;
/** Names are text; there are no byte or otherwise encoded names. */
const utf8: Check = (value) => typeof value === "string" && /^utf-?8$/i.test(value);
const callback: Check = (value) => typeof value === "function";
const signal: Check = (value) => typeof value === "object" && value !== null && "aborted" in value;
/** COPYFILE_EXCL, COPYFILE_FICLONE, COPYFILE_FICLONE_FORCE: a copy shares its content in any case. */
const copyMode: Check = (value) => count(value) && (value as number) <= 7;

const guarded = { ifVersion: version };
const guardedTwice = { ifVersion: version, ifTargetVersion: version };
const write = { ...guarded, encoding: any, mode: any, flag: any, flush: boolean, signal };
/** Nothing here is temporarily busy, so there is nothing to retry. */
const retries = { maxRetries: count, retryDelay: count };
const search = {
  regex: any,
  ignoreCase: any,
  smartCase: any,
  word: any,
  line: any,
  invert: any,
  multiline: any,
  dotAll: any,
  include: any,
  exclude: any,
  types: any,
  hidden: any,
  ignore: any,
  binary: any,
  context: any,
  before: any,
  after: any,
  maxHits: any,
  maxPerFile: any,
  maxBytesPerLine: any,
  maxFileBytes: any,
  maxDepth: any,
  offset: any,
  engine: any,
  signal: any,
  budget: { bytes: any, steps: any },
};
/** Filters for log entries. */
const log = {
  path: any,
  since: any,
  until: any,
  actor: any,
  callId: any,
  limit: any,
  cursor: any,
} satisfies OptionsOf<LogOptions>;

const OPTIONS = {
  // `autocrlf`: isomorphic-git passes it on and then applies it to the bytes itself.
  readFile: { encoding: any, flag: any, signal, autocrlf: string },
  writeFile: write,
  appendFile: write,
  open: guarded,
  mkdir: { ...guarded, recursive: boolean, mode: any },
  mkdtemp: { encoding: utf8 },
  readdir: { encoding: utf8, withFileTypes: boolean, recursive: boolean },
  opendir: { encoding: utf8, bufferSize: positive, recursive: boolean },
  stat: { bigint: no },
  lstat: { bigint: no },
  statfs: { bigint: no },
  rm: { ...guarded, ...retries, recursive: boolean, force: boolean },
  rmdir: { ...guarded, ...retries, recursive: no },
  unlink: guarded,
  rename: guardedTwice,
  copyFile: { ...guardedTwice, exclusive: boolean },
  cp: {
    ...guardedTwice,
    recursive: boolean,
    force: boolean,
    errorOnExist: boolean,
    dereference: boolean,
    preserveTimestamps: boolean,
    verbatimSymlinks: boolean,
    mode: copyMode,
    filter: callback,
  },
  symlink: guarded,
  readlink: { encoding: utf8 },
  link: guardedTwice,
  realpath: { encoding: utf8 },
  chmod: guarded,
  utimes: guarded,
  lutimes: guarded,
  truncate: guarded,
  glob: { cwd: any, exclude: any, dirs: boolean, limit: any, ignore: boolean, withFileTypes: no, followSymlinks: no },
  // `persistent`: ignored; a watch keeps no process running.
  watch: { recursive: boolean, signal, since: any, ignore: any, encoding: utf8, persistent: boolean },
  readStream: { start: any, end: any },
  scan: { after: any, limit: any },
  find: {
    name: any,
    path: any,
    type: any,
    larger: any,
    smaller: any,
    newer: any,
    older: any,
    maxDepth: any,
    minDepth: any,
    limit: any,
    ignore: boolean,
  },
  tree: { depth: any, limit: any },
  changes: { since: any, path: any, limit: any },
  grep: { ...search, cursor: any, mode: any },
  grepStream: search,
  "FileHandle.read": { buffer: any, offset: any, length: any, position: any },
  "FileHandle.write": { offset: any, length: any, position: any },
  "FileHandle.readFile": { encoding: any, signal },
  "FileHandle.writeFile": { encoding: any, signal },
  "FileHandle.stat": { bigint: no },
  "FileHandle.readLines": {
    encoding: utf8,
    start: count,
    end: count,
    highWaterMark: positive,
    autoClose: boolean,
    signal,
  },
  "FileHandle.readableWebStream": { autoClose: boolean },
  "history.log": log,
  "history.groups": log,
  "history.diff": { from: any, to: any, path: any, context: any, patches: boolean } satisfies OptionsOf<DiffOptions>,
  "history.undo": {
    callId: any,
    group: any,
    path: any,
    since: any,
    actor: any,
    dryRun: boolean,
    force: boolean,
    merge: boolean,
  } satisfies OptionsOf<UndoOptions>,
  "history.blame": {},
  "history.purge": {},
  "snapshots.create": { pinned: any },
  "snapshots.remove": {},
  "snapshots.restore": { paths: any, dryRun: boolean } satisfies OptionsOf<RestoreOptions>,
  maintain: { budget: positiveBound },
  gc: { retention: boundsOf(defaultRetention) },
  fsck: { repair: boolean },
} as const satisfies Record<string, OptionTable>;

export type VerbWithOptions = keyof typeof OPTIONS;

/** The option that a value in place of an object sets. */
const SHORT: { readonly [V in VerbWithOptions]?: { readonly [K in "string" | "number"]?: string } } = {
  readFile: { string: "encoding" },
  writeFile: { string: "encoding" },
  appendFile: { string: "encoding" },
  mkdir: { string: "mode", number: "mode" },
  mkdtemp: { string: "encoding" },
  readdir: { string: "encoding" },
  readlink: { string: "encoding" },
  realpath: { string: "encoding" },
  "FileHandle.readFile": { string: "encoding" },
  "FileHandle.writeFile": { string: "encoding" },
};

/** `paths.map(fs.stat)` passes an index as the second argument, which Node ignores here. */
const INDEX_IGNORED: ReadonlySet<VerbWithOptions> = new Set(["stat", "lstat", "statfs", "unlink"] as const);

/** The options of a call as an object, after checking that each is known. */
export function optionsOf<T extends object>(verb: VerbWithOptions, given: unknown, path?: unknown): Partial<T> {
  if (given === undefined || given === null || (typeof given === "number" && INDEX_IGNORED.has(verb))) return {};
  const short = SHORT[verb]?.[typeof given as "string" | "number"];
  const options = short === undefined ? given : { [short]: given };
  return checkOptions(OPTIONS[verb], options, { syscall: verb.slice(verb.lastIndexOf(".") + 1), path });
}
