/** The file system of a view for one identity: a list, one line per verb. */

import type { DetachedContentStore, FileSystem, Fingerprinted, SearchableFileSystem } from "./api/file-system.ts";
import type { WRITE_VERBS } from "./api/write-verbs.ts";
import { appendFile } from "./fs/append-file.ts";
import { chmod, lutimes, utimes } from "./fs/attributes.ts";
import { changes } from "./fs/changes.ts";
import { copyFile } from "./fs/copy-file.ts";
import { cp } from "./fs/cp.ts";
import { du } from "./fs/du.ts";
import { find } from "./fs/find.ts";
import { glob } from "./fs/glob.ts";
import { grep, grepStream } from "./fs/grep.ts";
import { link, symlink } from "./fs/link.ts";
import { mkdir } from "./fs/mkdir.ts";
import { mkdtemp, mkdtempDisposable } from "./fs/mkdtemp.ts";
import { open } from "./fs/open.ts";
import { opendir } from "./fs/opendir.ts";
import { read, readFile, readRange } from "./fs/read-file.ts";
import { readMany } from "./fs/read-many.ts";
import { readStream } from "./fs/read-stream.ts";
import { readdir, scan } from "./fs/readdir.ts";
import { rm, rmdir, unlink } from "./fs/remove.ts";
import { rename } from "./fs/rename.ts";
import { access, exists, lstat, readlink, realpath, stat } from "./fs/stat.ts";
import { statfs } from "./fs/statfs.ts";
import { tree } from "./fs/tree.ts";
import { truncate } from "./fs/truncate.ts";
import { watch } from "./fs/watch.ts";
import { writeFile } from "./fs/write-file.ts";
import { writeMany } from "./fs/write-many.ts";
import type { Identity } from "./mutation/mutation.ts";
import type { FsContext, ReadContext } from "./volume/context.ts";
import { fingerprints } from "./volume/internal/fingerprints.ts";
import { stage } from "./volume/internal/stage.ts";
import type { WriteView } from "./volume/views.ts";

type WriteVerbs = Pick<FileSystem, keyof typeof WRITE_VERBS> & DetachedContentStore;
type WholeFileSystem = SearchableFileSystem & Fingerprinted & DetachedContentStore;
type ReadVerbs = Omit<SearchableFileSystem & Fingerprinted, keyof typeof WRITE_VERBS>;

export function createFileSystem(volume: WriteView, identity: Identity = {}): WholeFileSystem {
  const ctx: FsContext = { volume, identity };
  return { ...readVerbs(ctx, ctx), ...writeVerbs(ctx) };
}

/** `writer`: null for a view of the past, where `open` and `readFile` take no flag that writes. */
export function readVerbs(ctx: ReadContext, writer: FsContext | null = null): ReadVerbs {
  return {
    readFile: ((path: string, options?: never) => readFile(ctx, writer, path, options)) as FileSystem["readFile"],
    open: (path, flags, mode, options) => open(ctx, writer, path, flags, mode, options),
    readdir: ((path: string, options?: never) => readdir(ctx, path, options)) as FileSystem["readdir"],
    opendir: (path, options) => opendir(ctx, path, options),
    stat: (path, options) => stat(ctx, path, options),
    lstat: (path, options) => lstat(ctx, path, options),
    access: (path, mode) => access(ctx, path, mode),
    exists: (path) => exists(ctx, path),
    readlink: (path, options) => readlink(ctx, path, options),
    realpath: (path, options) => realpath(ctx, path, options),
    glob: (pattern, options) => glob(ctx, pattern, options),
    watch: (path, options) => watch(ctx, path, options),
    statfs: (path, options) => statfs(ctx, path, options),
    read: (path) => read(ctx, path),
    readStream: (path, range) => readStream(ctx, path, range),
    readRange: (path, start, length) => readRange(ctx, path, start, length),
    readMany: (paths) => readMany(ctx, paths),
    fingerprints: (paths) => fingerprints(ctx, paths),
    scan: (path, options) => scan(ctx, path, options),
    find: (path, options) => find(ctx, path, options),
    grep: (pattern, path, options) => grep(ctx, pattern, path, options),
    grepStream: (pattern, path, options) => grepStream(ctx, pattern, path, options),
    tree: (path, options) => tree(ctx, path, options),
    du: (path) => du(ctx, path),
    changes: (options) => changes(ctx, options),
  };
}

function writeVerbs(ctx: FsContext): WriteVerbs {
  return {
    writeFile: (path, content, options) => writeFile(ctx, path, content, options),
    appendFile: (path, content, options) => appendFile(ctx, path, content, options),
    mkdir: (path, options) => mkdir(ctx, path, options),
    mkdtemp: (prefix, options) => mkdtemp(ctx, prefix, options),
    mkdtempDisposable: (prefix, options) => mkdtempDisposable(ctx, prefix, options),
    rm: (path, options) => rm(ctx, path, options),
    rmdir: (path, options) => rmdir(ctx, path, options),
    unlink: (path, options) => unlink(ctx, path, options),
    rename: (from, to, options) => rename(ctx, from, to, options),
    copyFile: (from, to, options) => copyFile(ctx, from, to, options),
    cp: (from, to, options) => cp(ctx, from, to, options),
    symlink: (target, path, options) => symlink(ctx, target, path, options),
    link: (existing, path, options) => link(ctx, existing, path, options),
    chmod: (path, mode, options) => chmod(ctx, path, mode, options),
    utimes: (path, atime, mtime, options) => utimes(ctx, path, atime, mtime, options),
    lutimes: (path, atime, mtime, options) => lutimes(ctx, path, atime, mtime, options),
    truncate: (path, length, options) => truncate(ctx, path, length, options),
    writeMany: (entries) => writeMany(ctx, entries),
    detachedBytes: () => ctx.volume.limits.rowBytes,
    stage: (contents) => stage(ctx, contents),
  };
}
