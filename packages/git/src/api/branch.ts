/** Methods for refs: branches, tags, revisions, and switching between them. */
import { parseConfigKey } from "../config/config-key.ts";
import { setLocalConfig } from "../config/write-config.ts";
import { GitError, type GitErrorCode } from "../errors.ts";
import { stripSpace } from "../message/strip-space.ts";
import type { Oid } from "../object/oid.ts";
import { currentBranch } from "../porcelain/branch/branch-names.ts";
import { createBranch } from "../porcelain/branch/create-branch.ts";
import { deleteBranch as removeBranch } from "../porcelain/branch/delete-branch.ts";
import { type SwitchRequest, type SwitchResult, switchHead } from "../porcelain/checkout/switch.ts";
import { createTag } from "../porcelain/create-tag.ts";
import { listRefs, type RefInfo } from "../porcelain/ref-filter/list-refs.ts";
import { removeTag } from "../porcelain/remove-tag.ts";
import { findRevision } from "../revision/find-revision.ts";
import { peelTo } from "../revision/peel.ts";
import { diagnoseRevision } from "../revision/resolve-revision.ts";
import type { Call, CallOptions } from "./call.ts";

export interface ResolveOptions extends CallOptions {
  /** Any revision that git accepts: "HEAD~2", "v1^{commit}", "main:README.md". */
  readonly revision: string;
}

const MISSING: ReadonlySet<GitErrorCode> = new Set(["ENOTFOUND", "EAMBIGUOUS", "EINVAL", "ENOREPO"]);

/** Null: it does not exist. */
export async function resolve(call: Call, { revision }: ResolveOptions): Promise<Oid | null> {
  try {
    return (await findRevision(await call.repository(), revision, { quiet: true }))?.oid ?? null;
  } catch (error) {
    if (error instanceof GitError && MISSING.has(error.code)) return null;
    throw error;
  }
}

export interface RefsOptions extends CallOptions {
  /** "refs/heads/", "refs/tags/"; default all. */
  readonly prefix?: string;
}

export async function refs(call: Call, { prefix }: RefsOptions = {}): Promise<RefInfo[]> {
  return listRefs(await call.repository(), prefix);
}

export interface BranchOptions extends CallOptions {
  readonly name: string;
  /** Start point; default HEAD. */
  readonly start?: string;
  readonly force?: boolean;
}

export async function branch(call: Call, { name, start, force }: BranchOptions): Promise<CreatedRef> {
  const repo = await call.repository();
  const from = start ?? (await currentBranch(repo)) ?? "HEAD";
  const { oid, existed } = await createBranch(repo, { name, start: from, force: force === true, quiet: true });
  return { name: `refs/heads/${name}`, oid, existed };
}

/** A branch or a tag, by its full name. */
export interface CreatedRef {
  readonly name: string;
  /** What it points to. */
  readonly oid: Oid;
  /** It had another value before. */
  readonly existed: boolean;
}

export interface DeletedRef {
  readonly name: string;
  /** What it pointed to; null: nothing that exists. */
  readonly oid: Oid | null;
}

export interface DeleteBranchOptions extends CallOptions {
  readonly name: string;
  /** Also delete an unmerged branch. */
  readonly force?: boolean;
}

export async function deleteBranch(call: Call, { name, force = false }: DeleteBranchOptions): Promise<DeletedRef> {
  const result = await removeBranch(await call.repository(), name, { force });
  if ("error" in result) throw new GitError(result.code, result.error, { prefix: "error", exitCode: 1 });
  return { name: `refs/heads/${result.name}`, oid: result.oid };
}

export interface SwitchOptions extends CallOptions, SwitchRequest {}

export async function switchTo(call: Call, options: SwitchOptions): Promise<SwitchResult> {
  return switchHead(await call.workTree(), options);
}

export interface TagOptions extends CallOptions {
  readonly name: string;
  readonly revision?: string;
  /** Makes it annotated. */
  readonly message?: string;
  readonly force?: boolean;
}

export async function tag(call: Call, { name, revision, message, force }: TagOptions): Promise<CreatedRef> {
  const repo = await call.repository();
  if (message === undefined && repo.config.getBool("tag.gpgsign"))
    throw new GitError("EUNSUPPORTED", "signing tags (tag.gpgSign) is not supported here: pass a message");
  const comment = repo.config.get("core.commentchar") ?? "#";
  const { oid, replaced } = await createTag(repo, {
    name,
    ...(revision === undefined ? {} : { target: revision }),
    ...(message === undefined ? {} : { message: stripSpace(message, { comment }) }),
    force: force === true,
  });
  return { name: `refs/tags/${name}`, oid, existed: replaced !== null };
}

export interface DeleteTagOptions extends CallOptions {
  readonly name: string;
}

export async function deleteTag(call: Call, { name }: DeleteTagOptions): Promise<DeletedRef> {
  const deleted = await removeTag(await call.repository(), name);
  if (deleted === null) throw new GitError("ENOTFOUND", `tag '${name}' not found.`, { prefix: "error", exitCode: 1 });
  return { name: `refs/tags/${name}`, oid: deleted };
}

export interface ReadOptions extends CallOptions {
  readonly revision?: string;
  readonly path: string;
}

/** A file's content in a revision; default HEAD. */
export async function read(call: Call, { revision = "HEAD", path }: ReadOptions): Promise<Uint8Array> {
  const repo = await call.repository();
  const name = `${revision}:${path}`;
  const found = await findRevision(repo, name);
  if (found === null) throw await diagnoseRevision(repo, name);
  const blob = await peelTo(repo, found.oid, "blob");
  if (blob === null) throw new GitError("EINVAL", `'${name}' is not a file`);
  return (await repo.odb.need(blob, "blob")).body;
}

export interface ConfigOptions extends CallOptions {
  readonly key: string;
}

/** All values; the last one takes precedence. */
export async function getConfig(call: Call, { key }: ConfigOptions): Promise<string[]> {
  const wanted = parseConfigKey(key).key;
  const { config } = await call.configuration();
  return config.entries.filter((entry) => entry.key === wanted).map(({ value }) => value ?? "");
}

export interface SetConfigOptions extends ConfigOptions {
  /** Null removes it. */
  readonly value: string | null;
}

export async function setConfig(call: Call, { key, value }: SetConfigOptions): Promise<void> {
  await setLocalConfig(await call.repository(), [{ key, value }]);
}
