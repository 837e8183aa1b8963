/**
 * Every verb of a client, as data: the checks of its arguments, then the implementation. The compiler checks the table against the
 * whole `FileSystem` interface, whose order it follows. A check rebuilds what it accepts, so no option passes unchecked.
 */
import { RPC_LIMITS } from "@workspace/protocol";
import type {
  FileSystem,
  GcOptions,
  GlobOptions,
  NameEncoding,
  RmdirOptions,
  StatOptions,
  TextEncodingName,
} from "@workspace/vfs";
import {
  amount,
  bytes,
  either,
  fields,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  options,
  path,
  size,
  text,
  textUpTo,
  time,
} from "./arguments.ts";
import { bulkEntry } from "./bulk-entries.ts";
import type { CallContext } from "./call-context.ts";
import { answerList } from "./encode-reply.ts";
import { gitCall, gitCli } from "./git-verbs.ts";
import { historyVerbs } from "./history-verbs.ts";
import { open, opendir } from "./open.ts";
import { toWireStat } from "./plain.ts";
import { read, readdir, readFile, readMany, readRange, readStream, scan } from "./reads.ts";
import {
  shellCloseStdin,
  shellEvents,
  shellExec,
  shellExposePort,
  shellGet,
  shellKill,
  shellList,
  shellPorts,
  shellReady,
  shellRemove,
  shellResult,
  shellUnexposePort,
  shellWrite,
} from "./shell-verbs.ts";
import { toolVerbs } from "./tool-verbs.ts";
import { type Verb, verbsOn } from "./verb.ts";
import { cancelWatch, watch } from "./watch.ts";
import { appendFile, cp, writeFile, writeMany } from "./writes.ts";

const encoding = oneOf<TextEncodingName>(
  ...(["utf8", "utf-8", "latin1", "binary", "ascii", "base64", "base64url", "hex", "utf16le", "ucs2"] as const),
);
const entryType = oneOf("file", "dir", "symlink");
const yes = optional(flag);
const count = optional(integer);
const version = optional(nullable(text));
const ifVersion = optional(options({ ifVersion: version }));
const mode = optional(either(integer, text));
const openFlag = optional(either(text, integer));
const retries = { maxRetries: optional(size), retryDelay: optional(size) };
const bothVersions = { ifVersion: version, ifTargetVersion: version };
const limit = optional(amount);
const content = optional(either(text, bytes));
const patterns = either(text, list(text, RPC_LIMITS.patternItems));
const id = textUpTo(RPC_LIMITS.callIdLength);

const given = {
  readFile: optional(options({ flag: openFlag })),
  write: optional(options({ ifVersion: version, encoding: optional(encoding), mode, flag: openFlag, flush: yes })),
  mkdir: optional(options({ recursive: yes, mode, ifVersion: version })),
  readdir: optional(options({ withFileTypes: yes, recursive: yes, encoding: optional(text) })),
  opendir: optional(options({ bufferSize: optional(size), recursive: yes, encoding: optional(text) })),
  names: optional(options({ encoding: optional(text) })),
  stat: optional(options({ bigint: yes })),
  rm: optional(options({ ...retries, recursive: yes, force: yes, ifVersion: version })),
  rmdir: optional(options({ ...retries, recursive: yes, ifVersion: version })),
  symlink: optional(either(oneOf("file", "dir", "junction"), options({ ifVersion: version }))),
  rename: optional(options(bothVersions)),
  copyFile: optional(either(integer, options({ ...bothVersions, exclusive: yes }))),
  cp: optional(
    options({
      ...bothVersions,
      recursive: yes,
      force: yes,
      errorOnExist: yes,
      dereference: yes,
      preserveTimestamps: yes,
      verbatimSymlinks: yes,
      mode: count,
    }),
  ),
  glob: optional(
    options({
      cwd: optional(path),
      exclude: optional(patterns),
      dirs: yes,
      limit: count,
      ignore: yes,
      withFileTypes: yes,
      followSymlinks: yes,
    }),
  ),
  watch: optional(
    options({
      recursive: yes,
      since: optional(text),
      waitMs: optional(size),
      watched: optional(fields({ path, directory: flag })),
      id: optional(id),
    }),
  ),
  range: optional(options({ start: count, end: count })),
  find: optional(
    options({
      name: optional(text),
      path: optional(text),
      type: optional(entryType),
      larger: count,
      smaller: count,
      newer: optional(time),
      older: optional(time),
      maxDepth: count,
      minDepth: count,
      limit: count,
      ignore: yes,
    }),
  ),
  grep: optional(
    options({
      regex: yes,
      ignoreCase: yes,
      smartCase: yes,
      word: yes,
      line: yes,
      invert: yes,
      multiline: yes,
      dotAll: yes,
      include: optional(patterns),
      exclude: optional(patterns),
      types: optional(patterns),
      hidden: yes,
      ignore: yes,
      binary: yes,
      context: count,
      before: count,
      after: count,
      maxHits: count,
      maxPerFile: count,
      maxBytesPerLine: count,
      maxFileBytes: count,
      maxDepth: count,
      offset: count,
      cursor: optional(text),
      mode: optional(oneOf("lines", "files", "count", "json")),
      engine: optional(oneOf("auto", "local", "container")),
      budget: optional(options({ bytes: count, steps: count })),
    }),
  ),
  scan: optional(options({ after: optional(text), limit: count })),
  tree: optional(options({ depth: count, limit: count })),
  changes: optional(options({ since: optional(text), path: optional(path), limit: count })),
  maintain: optional(options({ budget: count })),
  gc: optional(options({ retention: optional(options({ days: limit, entries: limit, bytes: limit })) })),
  fsck: optional(options({ repair: yes })),
};

const done = (work: Promise<unknown>) => work.then(() => ({}));
const value = async (work: Promise<unknown>) => ({ value: await work });
const items = async (work: Promise<readonly unknown[]>) => answerList(await work);
const stat = async (work: ReturnType<FileSystem["stat"]>) => ({ value: toWireStat(await work) });
const verb = verbsOn<CallContext>();

const fileSystem = {
  readFile: verb([path, given.readFile], readFile),
  writeFile: verb([path, content, given.write], writeFile),
  appendFile: verb([path, content, given.write], appendFile),
  open: verb([path, openFlag, mode, ifVersion], open),
  mkdir: verb([path, given.mkdir], ({ fs }, at, o) => value(fs.mkdir(at, o))),
  mkdtemp: verb([path, given.names], ({ fs }, prefix, o) => value(fs.mkdtemp(prefix, o as NameEncoding))),
  readdir: verb([path, given.readdir], readdir),
  opendir: verb([path, given.opendir], opendir),
  stat: verb([path, given.stat], ({ fs }, at, o) => stat(fs.stat(at, o as StatOptions))),
  lstat: verb([path, given.stat], ({ fs }, at, o) => stat(fs.lstat(at, o as StatOptions))),
  access: verb([path, count], ({ fs }, at, mode) => done(fs.access(at, mode))),
  exists: verb([path], ({ fs }, at) => value(fs.exists(at))),
  rm: verb([path, given.rm], ({ fs }, at, o) => done(fs.rm(at, o))),
  rmdir: verb([path, given.rmdir], ({ fs }, at, o) => done(fs.rmdir(at, o as RmdirOptions))),
  unlink: verb([path, ifVersion], ({ fs }, at, o) => done(fs.unlink(at, o))),
  rename: verb([path, path, given.rename], ({ fs }, from, to, o) => done(fs.rename(from, to, o))),
  copyFile: verb([path, path, given.copyFile], ({ fs }, from, to, o) => done(fs.copyFile(from, to, o))),
  cp: verb([path, path, given.cp], cp),
  symlink: verb([text, path, given.symlink], ({ fs }, target, at, o) => done(fs.symlink(target, at, o))),
  readlink: verb([path, given.names], ({ fs }, at, o) => value(fs.readlink(at, o as NameEncoding))),
  link: verb([path, path, given.rename], ({ fs }, existing, at, o) => done(fs.link(existing, at, o))),
  realpath: verb([path, given.names], ({ fs }, at, o) => value(fs.realpath(at, o as NameEncoding))),
  chmod: verb([path, either(integer, text), ifVersion], ({ fs }, at, mode, o) => done(fs.chmod(at, mode, o))),
  utimes: verb([path, time, time, ifVersion], ({ fs }, at, atime, mtime, o) => done(fs.utimes(at, atime, mtime, o))),
  lutimes: verb([path, time, time, ifVersion], ({ fs }, at, atime, mtime, o) => done(fs.lutimes(at, atime, mtime, o))),
  truncate: verb([path, count, ifVersion], ({ fs }, at, length, o) => done(fs.truncate(at, length, o))),
  glob: verb([patterns, given.glob], ({ fs }, pattern, o) => items(fs.glob(pattern, o as GlobOptions))),
  watch: verb([path, given.watch], watch),
  statfs: verb([path, given.stat], ({ fs }, at, o) => value(fs.statfs(at, o as StatOptions))),
  read: verb([path], read),
  readStream: verb([path, given.range], readStream),
  readRange: verb([path, integer, integer], readRange),
  readMany: verb([list(path, RPC_LIMITS.listItems)], readMany),
  scan: verb([path, given.scan], scan),
  writeMany: verb([optional(list(bulkEntry, RPC_LIMITS.inlineItems)), count], writeMany),
  find: verb([path, given.find], ({ fs }, at, o) => items(fs.find(at, o))),
  tree: verb([path, given.tree], ({ fs }, at, o) => value(fs.tree(at, o))),
  du: verb([path], ({ fs }, at) => value(fs.du(at))),
  changes: verb([given.changes], ({ fs }, o) => value(fs.changes(o))),
  grep: verb([patterns, path, given.grep], ({ fs }, pattern, at, o) => value(fs.grep(pattern, at, o))),
} satisfies Record<Exclude<keyof FileSystem, "mkdtempDisposable"> | "grep", Verb<CallContext>>;

const ours = {
  ...historyVerbs,
  ...toolVerbs,
  gitCli,
  gitCall,
  shellExec,
  shellGet,
  shellEvents,
  shellResult,
  shellKill,
  shellWrite,
  shellCloseStdin,
  shellList,
  shellRemove,
  shellReady,
  shellPorts,
  shellExposePort,
  shellUnexposePort,
  cancelWatch: verb([id], cancelWatch),
  maintain: verb([given.maintain], ({ workspace }, o) => value(workspace.maintain(o))),
  gc: verb([given.gc], ({ workspace }, o) => value(workspace.gc(o as GcOptions))),
  fsck: verb([given.fsck], ({ workspace }, o) => value(workspace.fsck(o))),
} satisfies Record<string, Verb<CallContext>>;

export const verbs: ReadonlyMap<string, Verb<CallContext>> = new Map(Object.entries({ ...fileSystem, ...ours }));
