/** `writeFile` and the plan it shares with `appendFile`: every await comes before the one synchronous commit. */

import { FsError, throwIfAborted } from "../api/errors.ts";
import type { Content, TextEncodingName, WriteFileOptions, WriteResult } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { applyEdits, type Edit } from "../content/apply-edits.ts";
import { prepareContent } from "../content/prepare-content.ts";
import type { PreparedContent } from "../content/spool.ts";
import { AppendConflict } from "../mutation/append-conflict.ts";
import type { Mutation } from "../mutation/mutation.ts";
import { parseMode } from "../node-args/mode.ts";
import { lastLinkFor, type OpenFlags, parseFlags } from "../node-args/open-flags.ts";
import { type Inode, isDirectory, S_IFREG, UMASK } from "../tree/inode.ts";
import { parsePath, type WorkspacePath } from "../tree/path.ts";
import { resolve } from "../tree/resolve.ts";
import { checkVersion, type FsContext, mutate } from "../volume/context.ts";
import type { ReadView } from "../volume/views.ts";

export async function writeFile(
  ctx: FsContext,
  given: string,
  content: Content,
  options: WriteFileOptions | TextEncodingName = {},
  defaultFlag = "w",
): Promise<WriteResult> {
  const path = parsePath(given, "open");
  const {
    encoding,
    mode,
    flag = defaultFlag,
    ifVersion,
    signal,
  } = optionsOf<WriteFileOptions>(defaultFlag === "a" ? "appendFile" : "writeFile", options, given);
  const flags = parseFlags(flag, given);
  if (!flags.write) throw new FsError("EBADF", { syscall: "write", path: given });
  throwIfAborted(signal, "open", given);
  const fileMode = parseMode(mode, 0o666, "open", given);
  const pending = prepareContent(ctx.volume.store, content, { encoding, signal, syscall: "write", path: given });
  const spooled = pending instanceof Promise ? await pending : pending;
  // Frees the spooled rows of a failed write at once.
  using _rows = spooled.kind === "rows" ? spooled : null;
  return writeSpooled(ctx, path, spooled, { flags, mode: fileMode, ifVersion });
}

interface WritePlan {
  flags: OpenFlags;
  mode: number;
  ifVersion?: WriteFileOptions["ifVersion"];
}

function writeSpooled(ctx: FsContext, path: WorkspacePath, spooled: PreparedContent, plan: WritePlan): WriteResult {
  try {
    return writtenOf(
      ctx.volume,
      mutate(ctx, (mutation) => planWrite(mutation, path, spooled, plan, true)),
    );
  } catch (error) {
    if (!(error instanceof AppendConflict)) throw error;
    return writtenOf(
      ctx.volume,
      mutate(ctx, (mutation) => planWrite(mutation, path, spooled, plan, false)),
    );
  }
}

/** `writeMany` uses it for each file, too. */
function planWrite(
  mutation: Mutation,
  path: WorkspacePath,
  spooled: PreparedContent,
  plan: WritePlan,
  growInPlace: boolean,
): Inode {
  const { flags } = plan;
  const found = resolve(mutation, path, "open", lastLinkFor(flags));
  checkVersion(mutation.volume, plan.ifVersion, found.inode, "open", path.given);
  if (found.inode === null) {
    if (!flags.create) throw new FsError("ENOENT", { syscall: "open", path: path.given });
    return mutation.create(found, { mode: S_IFREG | (plan.mode & ~UMASK), ...mutation.content(spooled) });
  }
  if (flags.exclusive) throw new FsError("EEXIST", { syscall: "open", path: path.given });
  if (isDirectory(found.inode)) throw new FsError("EISDIR", { syscall: "open", path: path.given });
  if (flags.truncate) return mutation.replaceContent(found, found.inode, mutation.content(spooled));
  const data = spooled.kind === "bytes" ? { bytes: spooled.bytes } : spooled;
  if (spooled.kind === "bytes" && spooled.bytes.length === 0) return found.inode;
  const edit: Edit = { kind: "write", at: flags.append ? "end" : 0, data };
  return mutation.replaceContent(found, found.inode, applyEdits(mutation, found.inode, [edit], growInPlace));
}

function writtenOf(volume: ReadView, inode: Inode): WriteResult {
  return {
    version: volume.revisions.format(inode.rev),
    contentVersion: volume.revisions.format(inode.contentRev),
    size: inode.size,
  };
}
