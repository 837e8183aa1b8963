/** Methods for refs: branches, tags, revisions, and switching between them. */
import type { Oid } from "../object/oid.ts";
import { parseOid } from "../object/oid.ts";
import type { CallOptions } from "./call.ts";
import { type Engine, flag } from "./engine.ts";
import { refuseOption } from "./log.ts";

export interface ResolveOptions extends CallOptions {
  /** Any revision that git accepts: "HEAD~2", "v1^{commit}", "main:README.md". */
  readonly revision: string;
}

/** Null: it does not exist. */
export async function resolve(engine: Engine, { revision }: ResolveOptions): Promise<Oid | null> {
  refuseOption(revision);
  const { text } = await engine.run(["rev-parse", "--verify", "--quiet", revision], {
    expected: [0, 1, 128],
  });
  return parseOid(text.trim());
}

export interface GitRef {
  /** Full name: "refs/heads/main". */
  readonly name: string;
  readonly oid: Oid;
  readonly type: "commit" | "tree" | "blob" | "tag";
  /** The object that an annotated tag points to. */
  readonly peeled?: Oid;
  readonly upstream?: string;
  readonly current: boolean;
}

export interface RefsOptions extends CallOptions {
  /** "refs/heads/", "refs/tags/"; default all. */
  readonly prefix?: string;
}

export async function refs(engine: Engine, { prefix = "refs/" }: RefsOptions = {}): Promise<GitRef[]> {
  const fields = ["%(refname)", "%(objectname)", "%(objecttype)", "%(*objectname)", "%(upstream)", "%(HEAD)"];
  const { text } = await engine.run(["for-each-ref", `--format=${fields.join("%00")}`, prefix]);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name, oid, type, peeled, upstream, mark] = line.split("\0") as string[];
      return {
        name: name as string,
        oid: oid as Oid,
        type: type as GitRef["type"],
        ...(peeled ? { peeled: peeled as Oid } : {}),
        ...(upstream ? { upstream } : {}),
        current: mark === "*",
      };
    });
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
export async function read(engine: Engine, { revision = "HEAD", path }: ReadOptions): Promise<Uint8Array> {
  refuseOption(revision);
  return (await engine.run(["cat-file", "blob", `${revision}:${path}`])).stdout;
}

export interface ConfigOptions extends CallOptions {
  readonly key: string;
}

/** All values; the last one takes precedence. */
export async function getConfig(engine: Engine, { key }: ConfigOptions): Promise<string[]> {
  const { text } = await engine.run(["config", "-z", "--get-all", key], { expected: [0, 1] });
  return text.split("\0").slice(0, -1);
}

export interface SetConfigOptions extends ConfigOptions {
  /** Null removes it. */
  readonly value: string | null;
}

export async function setConfig(engine: Engine, { key, value }: SetConfigOptions): Promise<void> {
  if (value === null) await engine.run(["config", "--unset-all", key], { expected: [0, 5] });
  else await engine.run(["config", "--replace-all", key, value]);
}
