/**
 * Every verb a client can ask for, as data: the checks of its arguments, then what runs. The compiler holds the table to the
 * whole `FileSystem` interface, in whose order it stands; a check rebuilds what it lets through, so no option passes unseen.
 */
import { RPC_LIMITS } from "@workspace/protocol";
import type { FileSystem, TextEncodingName } from "@workspace/vfs";
import { answerList } from "./answers.ts";
import {
  bytes,
  either,
  fields,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  path,
  size,
  text,
  textUpTo,
  time,
} from "./arguments.ts";
import { bulkEntry } from "./bulk-entries.ts";
import { gitCall, gitCli } from "./git-verbs.ts";
import { historyVerbs } from "./history-verbs.ts";
import { open, opendir } from "./open.ts";
import { plainStat } from "./plain.ts";
import { read, readdir, readFile, readMany, readRange, readStream, scan } from "./reads.ts";
import type { Session } from "./session.ts";
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
const ifVersion = optional(fields({ ifVersion: version }));
const bothVersions = { ifVersion: version, ifTargetVersion: version };
const content = optional(either(text, bytes));
const patterns = either(text, list(text, RPC_LIMITS.patternItems));
const id = textUpTo(RPC_LIMITS.callIdLength);

const options = {
  write: optional(fields({ ifVersion: version, encoding: optional(encoding), mode: count, flag: optional(text) })),
  mkdir: optional(either(integer, fields({ recursive: yes, mode: count, ifVersion: version }))),
  readdir: optional(fields({ withFileTypes: yes, recursive: yes })),
  rm: optional(fields({ recursive: yes, force: yes, ifVersion: version })),
  rename: optional(fields(bothVersions)),
  copyFile: optional(either(integer, fields({ ...bothVersions, exclusive: yes }))),
  cp: optional(
    fields({
      ...bothVersions,
      recursive: yes,
      force: yes,
      errorOnExist: yes,
      dereference: yes,
      preserveTimestamps: yes,
      verbatimSymlinks: yes,
    }),
  ),
  glob: optional(fields({ cwd: optional(path), exclude: optional(patterns), dirs: yes, limit: count, ignore: yes })),
  watch: optional(
    fields({
      recursive: yes,
      since: optional(text),
      waitMs: optional(size),
      watched: optional(fields({ path, directory: flag })),
      id: optional(id),
    }),
  ),
  range: optional(fields({ start: count, end: count })),
  find: optional(
    fields({
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
    fields({
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
      budget: optional(fields({ bytes: count, steps: count })),
    }),
  ),
  scan: optional(fields({ after: optional(text), limit: count })),
  tree: optional(fields({ depth: count, limit: count })),
  changes: optional(fields({ since: optional(text), path: optional(path), limit: count })),
  maintain: optional(fields({ budget: count })),
  fsck: optional(fields({ repair: yes })),
};

const done = (work: Promise<unknown>) => work.then(() => ({}));
const value = async (work: Promise<unknown>) => ({ value: await work });
const items = async (work: Promise<readonly unknown[]>) => answerList(await work);
const stat = async (work: ReturnType<FileSystem["stat"]>) => ({ value: plainStat(await work) });
const verb = verbsOn<Session>();

const fileSystem = {
  readFile: verb([path], readFile),
  writeFile: verb([path, content, options.write], writeFile),
  appendFile: verb([path, content, options.write], appendFile),
  open: verb([path, optional(text), count, ifVersion], open),
  mkdir: verb([path, options.mkdir], ({ fs }, at, o) => value(fs.mkdir(at, o))),
  mkdtemp: verb([path], ({ fs }, prefix) => value(fs.mkdtemp(prefix))),
  readdir: verb([path, options.readdir], readdir),
  opendir: verb([path], opendir),
  stat: verb([path], ({ fs }, at) => stat(fs.stat(at))),
  lstat: verb([path], ({ fs }, at) => stat(fs.lstat(at))),
  access: verb([path, count], ({ fs }, at, mode) => done(fs.access(at, mode))),
  exists: verb([path], ({ fs }, at) => value(fs.exists(at))),
  rm: verb([path, options.rm], ({ fs }, at, o) => done(fs.rm(at, o))),
  rmdir: verb([path, ifVersion], ({ fs }, at, o) => done(fs.rmdir(at, o))),
  unlink: verb([path, ifVersion], ({ fs }, at, o) => done(fs.unlink(at, o))),
  rename: verb([path, path, options.rename], ({ fs }, from, to, o) => done(fs.rename(from, to, o))),
  copyFile: verb([path, path, options.copyFile], ({ fs }, from, to, o) => done(fs.copyFile(from, to, o))),
  cp: verb([path, path, options.cp], cp),
  symlink: verb([text, path, ifVersion], ({ fs }, target, at, o) => done(fs.symlink(target, at, o))),
  readlink: verb([path], ({ fs }, at) => value(fs.readlink(at))),
  link: verb([path, path, options.rename], ({ fs }, existing, at, o) => done(fs.link(existing, at, o))),
  realpath: verb([path], ({ fs }, at) => value(fs.realpath(at))),
  chmod: verb([path, integer, ifVersion], ({ fs }, at, mode, o) => done(fs.chmod(at, mode, o))),
  utimes: verb([path, time, time, ifVersion], ({ fs }, at, atime, mtime, o) => done(fs.utimes(at, atime, mtime, o))),
  lutimes: verb([path, time, time, ifVersion], ({ fs }, at, atime, mtime, o) => done(fs.lutimes(at, atime, mtime, o))),
  truncate: verb([path, count, ifVersion], ({ fs }, at, length, o) => done(fs.truncate(at, length, o))),
  glob: verb([patterns, options.glob], ({ fs }, pattern, o) => items(fs.glob(pattern, o))),
  watch: verb([path, options.watch], watch),
  statfs: verb([path], ({ fs }, at) => value(fs.statfs(at))),
  read: verb([path], read),
  readStream: verb([path, options.range], readStream),
  readRange: verb([path, integer, integer], readRange),
  readMany: verb([list(path, RPC_LIMITS.listItems)], readMany),
  scan: verb([path, options.scan], scan),
  writeMany: verb([optional(list(bulkEntry, RPC_LIMITS.inlineItems)), count], writeMany),
  find: verb([path, options.find], ({ fs }, at, o) => items(fs.find(at, o))),
  tree: verb([path, options.tree], ({ fs }, at, o) => value(fs.tree(at, o))),
  du: verb([path], ({ fs }, at) => value(fs.du(at))),
  changes: verb([options.changes], ({ fs }, o) => value(fs.changes(o))),
  grep: verb([patterns, path, options.grep], ({ fs }, pattern, at, o) => value(fs.grep(pattern, at, o))),
} satisfies Record<keyof FileSystem | "grep", Verb<Session>>;

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
  maintain: verb([options.maintain], ({ workspace }, o) => value(workspace.maintain(o))),
  gc: verb([], ({ workspace }) => value(workspace.gc())),
  fsck: verb([options.fsck], ({ workspace }, o) => value(workspace.fsck(o))),
} satisfies Record<string, Verb<Session>>;

export const verbs: ReadonlyMap<string, Verb<Session>> = new Map(Object.entries({ ...fileSystem, ...ours }));
