/** Every verb that takes options, and its table. A verb is named as in the code that calls it; `fs` has no prefix. */
import {
  byteRange,
  changesOptions,
  copyFileOptions,
  cpOptions,
  mkdirOptions,
  nameOptions,
  opendirOptions,
  readdirOptions,
  readFileOptions,
  renameOptions,
  rmdirOptions,
  rmOptions,
  scanOptions,
  statOptions,
  treeOptions,
  versionGuard,
  watchOptions,
  writeFileOptions,
} from "./file-system-options.ts";
import { handleFileOptions, handleReadOptions, readLinesOptions, webStreamOptions } from "./handle-options.ts";
import {
  diffOptions,
  fsckOptions,
  gcOptions,
  logOptions,
  maintainOptions,
  restoreOptions,
  snapshotOptions,
  undoOptions,
} from "./history-options.ts";
import type { OptionTable } from "./option-table.ts";
import { findOptions, globOptions, grepOptions, grepStreamOptions } from "./search-options.ts";
import { execOptions, getOptions, listOptions } from "./shell-options.ts";

export const VERB_OPTIONS = {
  readFile: readFileOptions,
  writeFile: writeFileOptions,
  appendFile: writeFileOptions,
  open: versionGuard,
  mkdir: mkdirOptions,
  mkdtemp: nameOptions,
  readdir: readdirOptions,
  opendir: opendirOptions,
  stat: statOptions,
  lstat: statOptions,
  statfs: statOptions,
  rm: rmOptions,
  rmdir: rmdirOptions,
  unlink: versionGuard,
  rename: renameOptions,
  copyFile: copyFileOptions,
  cp: cpOptions,
  symlink: versionGuard,
  readlink: nameOptions,
  link: renameOptions,
  realpath: nameOptions,
  chmod: versionGuard,
  utimes: versionGuard,
  lutimes: versionGuard,
  truncate: versionGuard,
  glob: globOptions,
  watch: watchOptions,
  readStream: byteRange,
  scan: scanOptions,
  find: findOptions,
  tree: treeOptions,
  changes: changesOptions,
  grep: grepOptions,
  grepStream: grepStreamOptions,
  "FileHandle.read": { ...handleReadOptions, buffer: "buffer" },
  "FileHandle.write": handleReadOptions,
  "FileHandle.readFile": handleFileOptions,
  "FileHandle.writeFile": handleFileOptions,
  "FileHandle.stat": statOptions,
  "FileHandle.readLines": readLinesOptions,
  "FileHandle.readableWebStream": webStreamOptions,
  "history.log": logOptions,
  "history.groups": logOptions,
  "history.diff": diffOptions,
  "history.undo": undoOptions,
  "history.blame": {},
  "history.purge": {},
  "snapshots.create": snapshotOptions,
  "snapshots.remove": {},
  "snapshots.restore": restoreOptions,
  "shell.exec": execOptions,
  "shell.get": getOptions,
  "shell.list": listOptions,
  maintain: maintainOptions,
  gc: gcOptions,
  fsck: fsckOptions,
} as const satisfies Record<string, OptionTable>;

export type VerbWithOptions = keyof typeof VERB_OPTIONS;

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

/** Expands shorthands: an encoding or a mode in place of the options becomes an options object. */
export function expandOptions(verb: VerbWithOptions, given: unknown): unknown {
  if (typeof given === "number" && INDEX_IGNORED.has(verb)) return undefined;
  const short = SHORT[verb]?.[typeof given as "string" | "number"];
  return short === undefined ? given : { [short]: given };
}
