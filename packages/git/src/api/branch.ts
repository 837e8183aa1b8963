/** Methods for refs: branches, tags, revisions, and switching between them. */
import { parseConfigKey } from "../config/config-key.ts";
import { setLocalConfig } from "../config/write-config.ts";
import { GitError, type GitErrorCode } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import { listRefs, type RefInfo } from "../porcelain/ref-filter/list-refs.ts";
import { findRevision } from "../revision/find-revision.ts";
import { peelTo } from "../revision/peel.ts";
import { diagnoseRevision } from "../revision/resolve-revision.ts";
import type { Call, CallOptions } from "./call.ts";
import { type Engine, flag } from "./engine.ts";
import { refuseOption } from "./log.ts";

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

export async function branch(engine: Engine, { name, start, force }: BranchOptions): Promise<void> {
  if (start !== undefined) refuseOption(start);
  await engine.run(["branch", "-q", flag("--force", force), "--", name, start]);
}

export interface DeleteBranchOptions extends CallOptions {
  readonly name: string;
  /** Also delete an unmerged branch. */
  readonly force?: boolean;
}

export async function deleteBranch(engine: Engine, { name, force }: DeleteBranchOptions): Promise<void> {
  await engine.run(["branch", "-q", force ? "-D" : "-d", "--", name]);
}

export interface SwitchOptions extends CallOptions {
  readonly to: string;
  /** Create the branch at `start`. */
  readonly create?: boolean;
  readonly start?: string;
  /** Check out a commit, not a branch. */
  readonly detach?: boolean;
  /** Discard local changes. */
  readonly force?: boolean;
}

export async function switchTo(engine: Engine, { to, create, start, detach, force }: SwitchOptions): Promise<void> {
  for (const word of [to, start]) if (word !== undefined) refuseOption(word);
  const flags = [flag("--detach", detach), flag("--discard-changes", force)];
  await engine.run(["switch", "-q", ...flags, ...(create ? ["-c", to, start] : [to])]);
}

export interface TagOptions extends CallOptions {
  readonly name: string;
  readonly revision?: string;
  /** Makes it annotated. */
  readonly message?: string;
  readonly force?: boolean;
}

export async function tag(engine: Engine, { name, revision, message, force }: TagOptions): Promise<void> {
  if (revision !== undefined) refuseOption(revision);
  const annotated = message === undefined ? [] : ["-a", "-F", "-"];
  await engine.run(
    ["tag", flag("--force", force), ...annotated, "--", name, revision],
    message === undefined ? {} : { stdin: message },
  );
}

export interface DeleteTagOptions extends CallOptions {
  readonly name: string;
}

export async function deleteTag(engine: Engine, { name }: DeleteTagOptions): Promise<void> {
  await engine.run(["tag", "-d", "--", name]);
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
