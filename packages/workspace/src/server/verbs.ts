/**
 * Every verb of a client, as data: the checks of its arguments, then the implementation. The compiler checks the table against the
 * whole `FileSystem` interface, whose order it follows. A check rebuilds what it accepts, so no option passes unchecked.
 */
import { RPC_LIMITS } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import {
  bytes,
  either,
  integer,
  list,
  oneOf,
  optional,
  options,
  optionsOf,
  path,
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
import { type Verb, verbDefiner } from "./verb.ts";
import { cancelWatch, watch, watchPoll } from "./watch.ts";
import { appendFile, cp, writeFile, writeMany } from "./writes.ts";

const count = optional(integer);
const openFlag = optional(either(text, integer));
const content = optional(either(text, bytes));
const patterns = either(text, list(text, RPC_LIMITS.patternItems));
const mode = either(integer, text);
const symlinkType = oneOf("file", "dir", "junction");
const id = textUpTo(RPC_LIMITS.callIdLength);

const done = (work: Promise<unknown>) => work.then(() => ({}));
const value = async (work: Promise<unknown>) => ({ value: await work });
const items = async (work: Promise<readonly unknown[]>) => answerList(await work);
const stat = async (work: ReturnType<FileSystem["stat"]>) => ({ value: toWireStat(await work) });
const verb = verbDefiner<CallContext>();

const fileSystem = {
  readFile: verb([path, optionsOf("readFile")], readFile),
  writeFile: verb([path, content, optionsOf("writeFile")], writeFile),
  appendFile: verb([path, content, optionsOf("appendFile")], appendFile),
  open: verb([path, openFlag, optional(mode), optionsOf("open")], open),
  mkdir: verb([path, optionsOf("mkdir")], ({ fs }, at, o) => value(fs.mkdir(at, o))),
  mkdtemp: verb([path, optionsOf("mkdtemp")], ({ fs }, prefix, o) => value(fs.mkdtemp(prefix, o))),
  readdir: verb([path, optionsOf("readdir")], readdir),
  opendir: verb([path, optionsOf("opendir")], opendir),
  stat: verb([path, optionsOf("stat")], ({ fs }, at, o) => stat(fs.stat(at, o))),
  lstat: verb([path, optionsOf("lstat")], ({ fs }, at, o) => stat(fs.lstat(at, o))),
  access: verb([path, count], ({ fs }, at, mode) => done(fs.access(at, mode))),
  exists: verb([path], ({ fs }, at) => value(fs.exists(at))),
  rm: verb([path, optionsOf("rm")], ({ fs }, at, o) => done(fs.rm(at, o))),
  rmdir: verb([path, optionsOf("rmdir")], ({ fs }, at, o) => done(fs.rmdir(at, o))),
  unlink: verb([path, optionsOf("unlink")], ({ fs }, at, o) => done(fs.unlink(at, o))),
  rename: verb([path, path, optionsOf("rename")], ({ fs }, from, to, o) => done(fs.rename(from, to, o))),
  copyFile: verb([path, path, either(integer, optionsOf("copyFile"))], ({ fs }, from, to, o) =>
    done(fs.copyFile(from, to, o)),
  ),
  cp: verb([path, path, optionsOf("cp")], cp),
  symlink: verb([text, path, either(optional(symlinkType), optionsOf("symlink"))], ({ fs }, target, at, o) =>
    done(fs.symlink(target, at, o)),
  ),
  readlink: verb([path, optionsOf("readlink")], ({ fs }, at, o) => value(fs.readlink(at, o))),
  link: verb([path, path, optionsOf("link")], ({ fs }, existing, at, o) => done(fs.link(existing, at, o))),
  realpath: verb([path, optionsOf("realpath")], ({ fs }, at, o) => value(fs.realpath(at, o))),
  chmod: verb([path, mode, optionsOf("chmod")], ({ fs }, at, mode, o) => done(fs.chmod(at, mode, o))),
  utimes: verb([path, time, time, optionsOf("utimes")], ({ fs }, at, atime, mtime, o) =>
    done(fs.utimes(at, atime, mtime, o)),
  ),
  lutimes: verb([path, time, time, optionsOf("lutimes")], ({ fs }, at, atime, mtime, o) =>
    done(fs.lutimes(at, atime, mtime, o)),
  ),
  truncate: verb([path, count, optionsOf("truncate")], ({ fs }, at, length, o) => done(fs.truncate(at, length, o))),
  glob: verb([patterns, optionsOf("glob")], ({ fs }, pattern, o) => items(fs.glob(pattern, o))),
  watch: verb([path, options(watchPoll)], watch),
  statfs: verb([path, optionsOf("statfs")], ({ fs }, at, o) => value(fs.statfs(at, o))),
  read: verb([path], read),
  readStream: verb([path, optionsOf("readStream")], readStream),
  readRange: verb([path, integer, integer], readRange),
  readMany: verb([list(path, RPC_LIMITS.listItems)], readMany),
  scan: verb([path, optionsOf("scan")], scan),
  writeMany: verb([optional(list(bulkEntry, RPC_LIMITS.inlineItems)), count], writeMany),
  find: verb([path, optionsOf("find")], ({ fs }, at, o) => items(fs.find(at, o))),
  tree: verb([path, optionsOf("tree")], ({ fs }, at, o) => value(fs.tree(at, o))),
  du: verb([path], ({ fs }, at) => value(fs.du(at))),
  changes: verb([optionsOf("changes")], ({ fs }, o) => value(fs.changes(o))),
  grep: verb([patterns, path, optionsOf("grep")], ({ fs }, pattern, at, o) => value(fs.grep(pattern, at, o))),
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
  maintain: verb([optionsOf("maintain")], ({ workspace }, o) => value(workspace.maintain(o))),
  gc: verb([optionsOf("gc")], ({ workspace }, o) => value(workspace.gc(o))),
  fsck: verb([optionsOf("fsck")], ({ workspace }, o) => value(workspace.fsck(o))),
} satisfies Record<string, Verb<CallContext>>;

export const verbs: ReadonlyMap<string, Verb<CallContext>> = new Map(Object.entries({ ...fileSystem, ...ours }));
