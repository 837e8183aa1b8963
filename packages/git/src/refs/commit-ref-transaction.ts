/**
 * Ref transaction: updates many refs together. It checks names, locks every ref, checks old values, writes reflogs, then writes the
 * refs. A failed check changes no ref. With an epoch, all refs change in one file-system transaction; without one, they are renamed
 * into place one by one, as in git.
 */
import type { BulkEntry } from "@workspace/vfs";
import { GitError } from "../errors.ts";
import { lockFile, lockFiles } from "../lock-file.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import type { Signature } from "../object/signature.ts";
import { checkAvailable } from "./name-conflict.ts";
import type { RefContext } from "./open-ref-store.ts";
import { formatPackedRefs } from "./packed-refs.ts";
import { isSafeRefPath, isWritableRef } from "./ref-name.ts";
import type { PreparedUpdate, RefUpdate } from "./ref-store.ts";
import { appendReflog, removeEmptyDirectories, removeEmptyParents } from "./write-reflog.ts";

/** An update of the ref that really changes. */
interface TransactionUpdate {
  readonly update: RefUpdate;
  readonly name: string;
  /** The symbolic refs on the way: they get only a reflog entry. */
  readonly through: readonly string[];
  old: Oid | null;
  /** It is a symbolic ref now, so writing even the same id into it is a change. */
  wasSymbolic: boolean;
}

export async function commitRefTransaction(
  context: RefContext,
  updates: readonly RefUpdate[],
  who: Signature,
): Promise<void> {
  await (await prepareRefs(context, updates)).commit(who);
}

export async function prepareRefs(context: RefContext, updates: readonly RefUpdate[]): Promise<PreparedUpdate> {
  if (updates.length === 0) return { commit: async () => {}, abort: async () => {} };
  await context.beforeUpdate?.();
  const steps: TransactionUpdate[] = [];
  for (const update of updates) steps.push(await locate(context, update));
  await checkNames(context, steps);
  await checkAvailable(
    context,
    steps.filter(({ update }) => update.to !== null).map(({ name, update }) => ({ name, displayed: update.name })),
  );
  const paths = steps.map(({ name }) => context.files.path(name));
  const release = await lockFiles(context.host, [...paths].sort()).catch((error) => {
    throw error instanceof GitError ? cannotLock(updates[0] as RefUpdate, error.message, "ELOCKED", error) : error;
  });
  try {
    for (const step of steps) await check(context, step);
  } catch (error) {
    await release();
    throw error;
  }
  return {
    abort: release,
    async commit(who) {
      try {
        await writeLogs(context, steps, who);
        await commit(context, steps);
      } finally {
        await release();
      }
      for (const { name, update } of steps) if (update.to === null) await cleanUp(context, name);
    },
  };
}

async function locate(context: RefContext, update: RefUpdate): Promise<TransactionUpdate> {
  const through: string[] = [];
  const makesSymbolic = update.to !== null && typeof update.to === "object";
  let name = update.name;
  while (!update.noDeref && !makesSymbolic) {
    const value = await context.read(name);
    if (value?.kind !== "symbolic") break;
    if (through.length >= context.limits.symrefDepth) {
      throw cannotLock(update, `unable to resolve reference '${update.name}'`, "ECORRUPT");
    }
    through.push(name);
    name = value.target;
  }
  return { update, name, through, old: null, wasSymbolic: (await context.read(name))?.kind === "symbolic" };
}

/** One update per ref, also if another name leads to it. */
async function checkNames(context: RefContext, steps: readonly TransactionUpdate[]): Promise<void> {
  const seen = new Map<string, TransactionUpdate>();
  const twice = (name: string, way: string, through: string) =>
    new GitError("EINVAL", `multiple updates for '${name}' (including one via ${way} '${through}') are not allowed`);
  for (const step of steps) {
    const { name, update } = step;
    const allowed = update.to === null ? isSafeRefPath(name) : isWritableRef(name);
    if (!allowed) throw new GitError("EINVAL", `refusing to update ref with bad name '${name}'`);
    const before = seen.get(name);
    const link = step.through.at(-1) ?? before?.through.at(-1);
    if (before?.through.length === 0 && update.name === "HEAD") throw twice("HEAD", "its referent", name);
    if (before && link !== undefined) throw twice(name, "symref", link);
    if (before) throw new GitError("EINVAL", `multiple updates for ref '${name}' not allowed`);
    seen.set(name, step);
  }
  const head = seen.has("HEAD") ? await context.read("HEAD") : null;
  if (head?.kind === "symbolic" && seen.has(head.target)) throw twice("HEAD", "its referent", head.target);
}

async function check(context: RefContext, step: TransactionUpdate): Promise<void> {
  const { update, name } = step;
  const makesSymbolic = update.to !== null && typeof update.to === "object";
  if (!makesSymbolic && (await context.files.loose(name)) === "broken")
    throw cannotLock(update, `unable to resolve reference '${name}': reference broken`, "ECORRUPT");
  const now = await context.resolve(name);
  step.old = now?.oid ?? null;
  if (update.from !== undefined) {
    const expected = update.from === ZERO_OID ? null : update.from;
    if (expected === null && step.old !== null) throw cannotLock(update, "reference already exists", "ESTALE");
    if (expected !== null && step.old === null) {
      throw cannotLock(update, `unable to resolve reference '${name}'`, "ESTALE");
    }
    if (expected !== null && step.old !== expected) {
      throw cannotLock(update, `is at ${step.old} but expected ${expected}`, "ESTALE");
    }
  }
  if (typeof update.to !== "string" || !context.odb) return;
  if (step.old === update.to) return;
  const header = await context.odb.header(update.to);
  const cannot = (reason: string) => new GitError("ENOTFOUND", `cannot update ref '${name}': ${reason}`);
  if (!header) throw cannot(`trying to write ref '${name}' with nonexistent object ${update.to}`);
  if (header.type !== "commit" && (name === "HEAD" || name.startsWith("refs/heads/"))) {
    throw cannot(`trying to write non-commit object ${update.to} to branch '${name}'`);
  }
}

function cannotLock(update: RefUpdate, reason: string, code: GitError["code"], cause?: unknown): GitError {
  return new GitError(code, `cannot lock ref '${update.name}': ${reason}`, { cause });
}

async function writeLogs(context: RefContext, steps: readonly TransactionUpdate[], who: Signature): Promise<void> {
  const head = await context.read("HEAD");
  const headTarget = head?.kind === "symbolic" ? head.target : null;
  for (const { update, name, through, old, wasSymbolic } of steps) {
    const { message, createReflog } = update;
    if (message === undefined && !createReflog) continue;
    let to: Oid;
    if (typeof update.to === "string") to = update.to;
    else if (update.to === null) to = ZERO_OID;
    else {
      const resolved = await context.resolve(update.to.symbolic);
      if (!resolved?.oid) continue;
      to = resolved.oid;
    }
    const entry = { from: old ?? ZERO_OID, to, who, message: message ?? "" };
    for (const link of through) await appendReflog(context, link, entry, createReflog);
    if (name === headTarget && !through.includes("HEAD")) await appendReflog(context, "HEAD", entry);
    // An unchanged value gets no entry in its own reflog, and the log of a deleted ref is removed.
    if (update.to === null || (old === to && typeof update.to === "string" && !wasSymbolic)) continue;
    await appendReflog(context, name, entry, createReflog);
  }
}

async function commit(context: RefContext, steps: readonly TransactionUpdate[]): Promise<void> {
  const { host, files } = context;
  const { fs, epoch } = host;
  const deleted = new Set(steps.filter(({ update }) => update.to === null).map(({ name }) => name));
  await unpack(context, deleted);
  const bulk: BulkEntry[] = [];
  for (const { update, name, old, wasSymbolic } of steps) {
    const path = files.path(name);
    if (update.to === null) {
      bulk.push({ path, type: "remove" }, { path: files.logPath(name), type: "remove" });
      continue;
    }
    if (update.to === old && !wasSymbolic) continue;
    await removeEmptyDirectories(fs, path);
    const content = typeof update.to === "string" ? `${update.to}\n` : `ref: ${update.to.symbolic}\n`;
    bulk.push({ path, content });
  }
  const present: BulkEntry[] = [];
  for (const entry of bulk) {
    if (entry.type !== "remove" || (await isPlainFile(fs, entry.path))) present.push(entry);
  }
  if (epoch !== undefined) {
    await fs.writeMany(present);
    return;
  }
  for (const entry of present) {
    if (entry.type === "remove") await fs.rm(entry.path, { force: true });
    else if ("content" in entry) {
      // The lock is the new file: readers see the old value or the new one, never a partial one.
      await fs.writeFile(`${entry.path}.lock`, entry.content);
      await fs.rename(`${entry.path}.lock`, entry.path);
    }
  }
}

async function isPlainFile(fs: RefContext["host"]["fs"], path: string): Promise<boolean> {
  try {
    return !(await fs.lstat(path)).isDirectory();
  } catch {
    return false;
  }
}

/** Removes names from packed-refs, which is rewritten if it contains one of them. */
async function unpack({ host, files }: RefContext, deleted: ReadonlySet<string>): Promise<void> {
  if (deleted.size === 0) return;
  const packed = await files.packed();
  if (!packed.refs.some(({ name }) => deleted.has(name))) return;
  const lock = await lockFile(host, `${files.commonDir}/packed-refs`);
  await lock.commit(formatPackedRefs(packed.refs.filter(({ name }) => !deleted.has(name))));
  files.forgetPacked();
}

async function cleanUp({ files }: RefContext, name: string): Promise<void> {
  if (!name.startsWith("refs/")) return;
  const retained = name.split("/").slice(0, 2).join("/");
  await removeEmptyParents(files.fs, files.path(name), files.path(retained));
  await removeEmptyParents(files.fs, files.logPath(name), files.logPath(retained));
}
