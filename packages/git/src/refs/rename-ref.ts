/**
 * Renames or copies a ref with its reflog, for `branch -m` and `branch -c`. A rename deletes the old ref first, because "a" and
 * "a/b" cannot exist together; if writing the new ref fails, it rolls back: it writes the old ref and its reflog again.
 */

import { GitError } from "../errors.ts";
import type { Signature } from "../object/signature.ts";
import { decode } from "../text/bytes.ts";
import { commitRefTransaction } from "./commit-ref-transaction.ts";
import { conflictOf } from "./name-conflict.ts";
import type { RefContext } from "./open-ref-store.ts";
import { appendReflog, writeFileMakingRoom } from "./write-reflog.ts";

interface RenameRefOptions {
  readonly from: string;
  readonly to: string;
  readonly who: Signature;
  readonly message: string;
  readonly copy?: boolean;
}

export async function renameRef(
  context: RefContext,
  { from, to, who, message, copy = false }: RenameRefOptions,
): Promise<void> {
  const { files } = context;
  const value = await context.read(from);
  if (value === null) throw new GitError("ENOTFOUND", `refname ${from} not found`, { prefix: "error" });
  if (value.kind === "symbolic") {
    const verb = copy ? "copying" : "renaming";
    throw new GitError("EINVAL", `refname ${from} is a symbolic ref, ${verb} it is not supported`, { prefix: "error" });
  }
  const conflict = await conflictOf(context, to, copy ? new Set() : new Set([from]));
  if (conflict) throw new GitError("EEXIST", conflict, { prefix: "error" });
  const [log] = await files.fs.readMany([files.logPath(from)]);
  if (!copy) await commitRefTransaction(context, [{ name: from, to: null, noDeref: true, message }], who);
  const { oid } = value;
  const writeWithLog = async (name: string) => {
    await commitRefTransaction(context, [{ name, to: oid, noDeref: true }], who);
    if (log) await writeFileMakingRoom(files.fs, files.logPath(name), decode(log));
  };
  try {
    await makeWay(context, to, who);
    await writeWithLog(to);
  } catch (error) {
    if (!copy) await writeWithLog(from);
    throw error;
  }
  await appendReflog(context, to, { from: oid, to: oid, who, message });
}

/** A symbolic ref is replaced, not followed; a broken one has no value to lose. */
async function makeWay(context: RefContext, name: string, who: Signature): Promise<void> {
  if ((await context.files.loose(name)) === "broken") await context.files.fs.rm(context.files.path(name));
  const existing = await context.read(name);
  if (existing?.kind === "symbolic") await commitRefTransaction(context, [{ name, to: null, noDeref: true }], who);
}
