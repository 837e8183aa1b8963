/** The options of the file system's verbs, with Node's names; additions are marked "ours". */
import type { OptionTable } from "./option-table.ts";

export const versionGuard = {
  /** Ours: the version the path must have now; `null`: it must not exist. Otherwise ESTALE, and nothing is changed. */
  ifVersion: "version",
} as const satisfies OptionTable;

export const readFileOptions = {
  encoding: "encoding",
  /** How to open the file, default `r`; a flag that creates or truncates files does so. */
  flag: "openFlag",
  signal: "signal",
  /** Ignored: isomorphic-git passes it on, and then applies it to the bytes itself. */
  autocrlf: "any",
} as const satisfies OptionTable;

export const writeFileOptions = {
  ...versionGuard,
  encoding: "encoding",
  /** Mode of a created file; default 0o666 less a umask of 0o022. */
  mode: "mode",
  /** `w` (default), `wx`, `a`, `ax`, and with `+`. */
  flag: "openFlag",
  /** Ignored: writes are durable in any case. */
  flush: "flag",
  signal: "signal",
} as const satisfies OptionTable;

export const mkdirOptions = {
  ...versionGuard,
  recursive: "flag",
  mode: "mode",
} as const satisfies OptionTable;

/** Names are text; there are no byte or otherwise encoded names. */
export const nameOptions = { encoding: "utf8" } as const satisfies OptionTable;

export const readdirOptions = {
  encoding: "utf8",
  withFileTypes: "flag",
  recursive: "flag",
} as const satisfies OptionTable;

export const opendirOptions = {
  encoding: "utf8",
  /** Entries read at a time. */
  bufferSize: "positive",
  /** Includes subdirectories, each before its entries. */
  recursive: "flag",
} as const satisfies OptionTable;

/** Sizes and times are exact as numbers, so there is no bigint variant. */
export const statOptions = { bigint: "off" } as const satisfies OptionTable;

/** Accepted and ignored: nothing here is temporarily busy, so there is nothing to retry. */
export const retryOptions = { maxRetries: "count", retryDelay: "count" } as const satisfies OptionTable;

export const rmOptions = {
  ...versionGuard,
  ...retryOptions,
  recursive: "flag",
  force: "flag",
} as const satisfies OptionTable;

export const rmdirOptions = {
  ...versionGuard,
  ...retryOptions,
  /** `rm` removes trees. */
  recursive: "off",
} as const satisfies OptionTable;

export const renameOptions = {
  ...versionGuard,
  /** Ours: as `ifVersion`, for the target. */
  ifTargetVersion: "version",
} as const satisfies OptionTable;

export const copyFileOptions = {
  ...renameOptions,
  /** Fail with EEXIST when the target exists (Node's `COPYFILE_EXCL`). */
  exclusive: "flag",
} as const satisfies OptionTable;

/** `ifVersion` is the source's, `ifTargetVersion` the target's, at the time of the copy. */
export const cpOptions = {
  ...renameOptions,
  recursive: "flag",
  /** Overwrite existing files; default true. */
  force: "flag",
  errorOnExist: "flag",
  dereference: "flag",
  preserveTimestamps: "flag",
  verbatimSymlinks: "flag",
  /** As in `copyFile`: with `COPYFILE_EXCL` (1) an existing file makes the whole copy fail with EEXIST. */
  mode: "copyMode",
  /** Return false to leave out an entry and everything under it. */
  filter: "copyFilter",
} as const satisfies OptionTable;

export const watchOptions = {
  recursive: "flag",
  signal: "signal",
  encoding: "utf8",
  /** Ignored: a watch keeps no process running. */
  persistent: "flag",
  /** Events to leave out. */
  ignore: "watchIgnore",
  /** Ours: start after this cursor instead of now. */
  since: "text",
} as const satisfies OptionTable;

export const byteRange = {
  /** First byte, default 0. */
  start: "count",
  /** Last byte, inclusive as in Node's streams; default the end of the file. */
  end: "count",
} as const satisfies OptionTable;

export const scanOptions = { after: "text", limit: "count" } as const satisfies OptionTable;

export const treeOptions = {
  /** Default 2. */
  depth: "count",
  limit: "count",
} as const satisfies OptionTable;

export const changesOptions = {
  /** A cursor from an earlier answer; absent: from the oldest entry. */
  since: "text",
  /** Only entries at or under this path. */
  path: "path",
  /** Default and maximum 1000. */
  limit: "count",
} as const satisfies OptionTable;
