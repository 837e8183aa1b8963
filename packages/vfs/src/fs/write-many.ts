/** `writeMany`: many entries in one transaction and few statements; git checkout, sync and import use it. */
import { unknownOption } from "@workspace/protocol";
import { FsError } from "../api/errors.ts";
import type { BulkEntry, BulkResult, DetachedEntry } from "../api/file-system.ts";
import { DetachedRows } from "../content/detached-contents.ts";
import { isWhole, prepareContent } from "../content/prepare-content.ts";
import type { PreparedContent } from "../content/spool.ts";
import { assertNotRoot } from "../mutation/check-removal.ts";
import { makeDirectories } from "../mutation/make-directories.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { parseMode } from "../node-args/mode.ts";
import { toMicroseconds } from "../node-args/time.ts";
import { copyBytes } from "../store/owned-bytes.ts";
import { type Inode, isDirectory, isFile, isSymlink, S_IFDIR, S_IFLNK, S_IFMT, S_IFREG, UMASK } from "../tree/inode.ts";
import { checkTarget, parsePath, pathPrefix, utf8Length, type WorkspacePath } from "../tree/path.ts";
import { type Resolved, resolve, resolveUnlessMissing } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";
import type { ReadView } from "../volume/views.ts";

interface Prepared {
  readonly entry: BulkEntry | DetachedEntry;
  readonly path: WorkspacePath;
  readonly content?: PreparedContent;
}

/** An unknown field, such as a misspelled `ifVersion`, is rejected: without it the entry would mean something else. */
const FIELDS = {
  file: ["path", "type", "ifVersion", "content", "mode", "mtime"],
  dir: ["path", "type", "ifVersion", "mode", "mtime"],
  symlink: ["path", "type", "ifVersion", "target", "mtime"],
  remove: ["path", "type", "ifVersion"],
  staged: ["path", "type", "ifVersion", "contents", "index", "mode", "mtime"],
} as const satisfies { readonly [T in NonNullable<(BulkEntry | DetachedEntry)["type"]>]: readonly string[] };

export async function writeMany(ctx: FsContext, entries: readonly (BulkEntry | DetachedEntry)[]): Promise<BulkResult> {
  const { volume } = ctx;
  if (!Array.isArray(entries))
    throw new FsError("EINVAL", { syscall: "writeMany", reason: "entries must be an array" });
  if (entries.length > volume.limits.bulkEntries) throw tooMuch(`more than ${volume.limits.bulkEntries} entries`);
  const prepared: Prepared[] = [];
  // While a stream is read, the caller may reuse the bytes of other entries.
  const copies = entries.some((entry) => {
    const content = (entry as { content?: unknown } | null)?.content;
    return content !== undefined && !isWhole(content);
  });
  let bytes = 0;
  try {
    for (const entry of entries) {
      const pending = prepare(volume.ensureOpen(), entry, copies);
      const item = pending instanceof Promise ? await pending : pending;
      prepared.push(item);
      bytes += item.content?.kind === "bytes" ? item.content.bytes.length : 0;
      if (bytes > volume.limits.bulkBytes) throw tooMuch(`more than ${volume.limits.bulkBytes} bytes`);
    }
    return commit(ctx, prepared);
  } finally {
    // Frees at once what no commit has claimed.
    for (const { content } of prepared) if (content?.kind === "rows") content[Symbol.dispose]();
  }
}

function commit(ctx: FsContext, prepared: readonly Prepared[]): BulkResult {
  const { volume } = ctx;
  const touched = mutate(ctx, (mutation) => {
    const inos = prepared.map((item) => apply(mutation, item)?.ino ?? null);
    // The last change to each wins: an entry may occur twice.
    return inos.map((ino) =>
      ino === null ? null : (mutation.inodes.get(ino)?.rev ?? mutation.inode(ino)?.rev ?? null),
    );
  });
  return {
    written: touched.length,
    versions: touched.map((rev) => (rev === null ? null : volume.revisions.format(rev))),
  };
}

function prepare(volume: ReadView, entry: BulkEntry | DetachedEntry, copies: boolean): Prepared | Promise<Prepared> {
  const path = parsePath(entry?.path, "writeMany");
  checkFields(entry);
  if (entry.type !== undefined && entry.type !== "file") return { entry, path };
  const content = prepareContent(volume.store, entry.content, { syscall: "writeMany", path: entry.path });
  if (content instanceof Promise) return content.then((collected) => ({ entry, path, content: collected }));
  const isBorrowed = content.kind === "bytes" && copies;
  return { entry, path, content: isBorrowed ? { kind: "bytes", bytes: copyBytes(content.bytes) } : content };
}

function checkFields(entry: BulkEntry | DetachedEntry): void {
  const { path, type = "file" } = entry;
  const refuse = (reason: string) => new FsError("EINVAL", { syscall: "writeMany", path, reason });
  if (!Object.hasOwn(FIELDS, type)) throw refuse(`unknown type "${String(type)}"`);
  const fields: readonly string[] = FIELDS[type];
  for (const [name, value] of Object.entries(entry))
    if (value !== undefined && !fields.includes(name)) throw refuse(unknownOption(name, fields));
}

function apply(mutation: Mutation, { entry, path, content }: Prepared): Inode | null {
  const isFileEntry = entry.type === undefined || entry.type === "file" || entry.type === "staged";
  const lastLink = isFileEntry ? "create" : "itself";
  // Null when a parent directory is missing.
  const found = resolveUnlessMissing(mutation, path, "writeMany", lastLink);
  if (entry.ifVersion !== undefined)
    checkVersion(mutation.volume, entry.ifVersion, found?.inode ?? null, "writeMany", entry.path);
  switch (entry.type) {
    case "remove":
      return remove(mutation, found, entry.path);
    case "dir":
      return putDirectory(mutation, path, found, entry);
    case "symlink":
      return putSymlink(mutation, slotFor(mutation, path, found), entry);
    case "staged":
      if (!(entry.contents instanceof DetachedRows))
        throw new FsError("EINVAL", { syscall: "writeMany", path: entry.path, reason: "no staged contents" });
      return putFile(
        mutation,
        slotFor(mutation, path, found),
        entry,
        mutation.claimDetached(entry.contents, entry.index),
      );
    default:
      return putFile(mutation, slotFor(mutation, path, found), entry, mutation.content(content as PreparedContent));
  }
}

function slotFor(mutation: Mutation, path: WorkspacePath, found: Resolved | null): Resolved {
  if (found !== null) return found;
  makeDirectories(mutation, pathPrefix(path, path.parts.length - 1), S_IFDIR | (0o777 & ~UMASK));
  return resolve(mutation, path, "writeMany", "follow");
}

function putFile(
  mutation: Mutation,
  slot: Resolved,
  entry: { path: string; mode?: number; mtime?: unknown },
  ref: { content: number; size: number },
): Inode {
  const mtime = mtimeOf(entry);
  if (slot.inode === null) {
    const mode = parseMode(entry.mode, 0o666 & ~UMASK, "writeMany", entry.path);
    return mutation.create(slot, { mode: S_IFREG | mode, mtime, ...ref });
  }
  if (!isFile(slot.inode)) throw new FsError("EISDIR", { syscall: "writeMany", path: entry.path });
  const written = mutation.replaceContent(slot, slot.inode, ref, mtime);
  return withMode(mutation, slot, written, entry, undefined);
}

function putDirectory(
  mutation: Mutation,
  path: WorkspacePath,
  found: Resolved | null,
  entry: { path: string; mode?: number; mtime?: unknown },
): Inode {
  if (found?.inode && !isDirectory(found.inode))
    throw new FsError("EEXIST", { syscall: "writeMany", path: entry.path });
  if (!found?.inode) makeDirectories(mutation, path, S_IFDIR | (0o777 & ~UMASK));
  const created = resolve(mutation, path, "writeMany", "follow");
  return withMode(mutation, created, created.inode as Inode, entry, mtimeOf(entry));
}

function putSymlink(
  mutation: Mutation,
  slot: Resolved,
  entry: { path: string; target: string; mtime?: unknown },
): Inode {
  checkTarget(entry.target, entry.path);
  const created = {
    mode: S_IFLNK | 0o777,
    target: entry.target,
    size: utf8Length(entry.target),
    mtime: mtimeOf(entry),
  };
  if (slot.inode === null) return mutation.create(slot, created);
  if (!isSymlink(slot.inode)) throw new FsError("EEXIST", { syscall: "writeMany", path: entry.path });
  mutation.remove(slot, slot.inode);
  return mutation.create({ ...slot, parent: mutation.inode(slot.parent.ino) ?? slot.parent }, created);
}

function remove(mutation: Mutation, found: Resolved | null, given: string): null {
  if (!found?.inode) return null;
  assertNotRoot(mutation.volume, found, "writeMany", given);
  mutation.remove(found, found.inode);
  return null;
}

function withMode(
  mutation: Mutation,
  slot: Resolved,
  inode: Inode,
  entry: { path: string; mode?: number },
  mtime: number | undefined,
): Inode {
  const mode = (inode.mode & S_IFMT) | parseMode(entry.mode, inode.mode & 0o7777, "writeMany", entry.path);
  if (mode === inode.mode && (mtime === undefined || mtime === inode.mtime)) return inode;
  return mutation.setAttributes(slot, inode, { mode, ...(mtime === undefined ? {} : { mtime }) });
}

function mtimeOf(entry: { path: string; mtime?: unknown }): number | undefined {
  return entry.mtime === undefined ? undefined : toMicroseconds(entry.mtime as Date, "writeMany", entry.path);
}

function tooMuch(reason: string): FsError {
  return new FsError("EFBIG", { syscall: "writeMany", reason });
}
