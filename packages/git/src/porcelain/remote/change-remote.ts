/** Adds, renames and removes remotes: configuration and refs only, without contacting the remote. */

import { setConfigValue, unsetConfigValue } from "../../config/edit-config.ts";
import { renameSection } from "../../config/edit-section.ts";
import { editConfigFile, localConfigFile, setLocalConfig } from "../../config/write-config.ts";
import { GitError } from "../../errors.ts";
import { isRefName } from "../../refs/ref-name.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { refspecSource } from "../../wire/refspec.ts";
import { remoteConfig } from "../../wire/remote-config.ts";

export function remoteNames({ config }: Pick<Repository, "config">): string[] {
  const named = config
    .subsections("remote")
    .filter((name) => REMOTE_KEYS.some((key) => config.get(`remote.${name}.${key}`) !== undefined));
  return [...named].sort();
}

const REMOTE_KEYS = [
  "url",
  "fetch",
  "push",
  "pushurl",
  "mirror",
  "tagopt",
  "vcs",
  "receivepack",
  "uploadpack",
  "proxy",
  "prune",
];

/** Only the repository's own configuration counts: global settings for a name do not make it a remote. */
export function hasRemote({ config }: Pick<Repository, "config">, name: string): boolean {
  return config.entries.some(
    ({ key, scope }) =>
      (scope === "local" || scope === "worktree") && REMOTE_KEYS.some((word) => key === `remote.${name}.${word}`),
  );
}

export interface AddRemoteOptions {
  readonly name: string;
  readonly url: string;
  /** Fetches only these branches. */
  readonly track?: readonly string[];
  /** The target of refs/remotes/<name>/HEAD. */
  readonly master?: string;
  readonly tagOption?: "--tags" | "--no-tags";
  readonly mirror?: "fetch" | "push" | "both";
}

export async function addRemote(repo: Repository, options: AddRemoteOptions): Promise<void> {
  const { name, url, track = [], master, tagOption, mirror } = options;
  if (hasRemote(repo, name))
    throw new GitError("EEXIST", `remote ${name} already exists.`, { prefix: "error", exitCode: 3 });
  if (!isRefName(`refs/remotes/${name}/test`)) throw new GitError("EINVAL", `'${name}' is not a valid remote name`);
  const changes: { key: string; value: string; add?: boolean }[] = [{ key: `remote.${name}.url`, value: url }];
  if (mirror !== "push") {
    for (const branch of track.length > 0 ? track : ["*"]) {
      const spec =
        mirror === "fetch" || mirror === "both"
          ? `+refs/${branch}:refs/${branch}`
          : `+refs/heads/${branch}:refs/remotes/${name}/${branch}`;
      changes.push({ key: `remote.${name}.fetch`, value: spec, add: true });
    }
  }
  if (mirror === "push" || mirror === "both") changes.push({ key: `remote.${name}.mirror`, value: "true" });
  if (tagOption) changes.push({ key: `remote.${name}.tagOpt`, value: tagOption });
  await setLocalConfig(repo, changes);
  if (master === undefined) return;
  const target = `refs/remotes/${name}/${master}`;
  await repo.refs.update(
    [{ name: `refs/remotes/${name}/HEAD`, to: { symbolic: target }, message: "remote add" }],
    reflogIdentity(repo),
  );
}

/** Returns the branches that it fetched into, which stay. */
export async function removeRemote(repo: Repository, name: string): Promise<string[]> {
  const { config } = repo;
  if (!hasRemote(repo, name)) throw noSuchRemote(name, "No such remote: ");
  const target = localConfigFile(repo);
  const file = target.displayed ?? target.path;
  await editConfigFile(repo.host, target, (text) => {
    let edited = text;
    for (const branch of config.subsections("branch")) {
      for (const key of ["remote", "merge"]) {
        if (config.get(`branch.${branch}.remote`) === name) edited = unset(edited, `branch.${branch}.${key}`, file);
      }
      if (config.get(`branch.${branch}.pushremote`) === name)
        edited = unset(edited, `branch.${branch}.pushremote`, file);
    }
    if (config.get("remote.pushdefault") === name) edited = unset(edited, "remote.pushdefault", file);
    return renameSection(edited, `remote.${name}`, null).text;
  });
  const { gone, retained } = await createdBy(repo, name);
  await repo.refs.update(
    gone.map((ref) => ({ name: ref, to: null, noDeref: true })),
    reflogIdentity(repo),
  );
  return retained;
}

/** Refs that only this remote's refspecs create: tracking refs to remove, and branches, which the user owns. */
async function createdBy(repo: Repository, name: string): Promise<{ gone: string[]; retained: string[] }> {
  const { fetch } = remoteConfig(repo.config, name);
  const others = remoteNames(repo)
    .filter((other) => other !== name)
    .flatMap((other) => remoteConfig(repo.config, other).fetch);
  const head = `refs/remotes/${name}/HEAD`;
  const refs = new Set((await repo.refs.list("refs/")).map((ref) => ref.name));
  if (await repo.refs.read(head)) refs.add(head);
  const created = [...refs].filter((ref) => refspecSource(fetch, ref) !== null && refspecSource(others, ref) === null);
  return {
    gone: created.filter((ref) => ref.startsWith("refs/remotes/")),
    retained: created.filter((ref) => ref.startsWith("refs/heads/")).map((ref) => ref.slice("refs/heads/".length)),
  };
}

function unset(text: string, key: string, file: string): string {
  try {
    return unsetConfigValue(text, key, { file, all: true });
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 5) return text;
    throw error;
  }
}

export function noSuchRemote(name: string, text = "No such remote "): GitError {
  return new GitError("ENOTFOUND", `${text}'${name}'`, { prefix: "error", exitCode: 2 });
}

export async function renameRemote(repo: Repository, from: string, to: string): Promise<void> {
  const { config } = repo;
  if (!hasRemote(repo, from)) throw noSuchRemote(from, "No such remote: ");
  if (hasRemote(repo, to))
    throw new GitError("EEXIST", `remote ${to} already exists.`, { prefix: "error", exitCode: 3 });
  if (!isRefName(`refs/remotes/${to}/test`)) throw new GitError("EINVAL", `'${to}' is not a valid remote name`);
  const target = localConfigFile(repo);
  const file = target.displayed ?? target.path;
  const [old, next] = [`:refs/remotes/${from}/`, `:refs/remotes/${to}/`];
  const specs = config.getAll(`remote.${from}.fetch`);
  await editConfigFile(repo.host, target, (text) => {
    let edited = renameSection(text, `remote.${from}`, `remote.${to}`).text;
    if (specs.length > 0) {
      edited = unset(edited, `remote.${to}.fetch`, file);
      for (const spec of specs) {
        edited = setConfigValue(
          edited,
          `remote.${to}.fetch`,
          spec.replace(old, () => next),
          { file, add: true },
        );
      }
    }
    for (const branch of config.subsections("branch")) {
      for (const key of ["remote", "pushremote"]) {
        if (config.get(`branch.${branch}.${key}`) !== from) continue;
        const displayed = key === "remote" ? "remote" : "pushRemote";
        edited = setConfigValue(edited, `branch.${branch}.${displayed}`, to, { file, all: true });
      }
    }
    if (config.get("remote.pushdefault") === from)
      edited = setConfigValue(edited, "remote.pushDefault", to, { file, all: true });
    return edited;
  });
  for (const spec of specs) {
    if (spec.includes(old)) continue;
    const advice = "Please update the configuration manually if necessary.";
    repo.warn?.(`Not updating non-default fetch refspec\n\t${spec}\n\t${advice}`);
  }
  if (specs.some((spec) => spec.includes(old))) await renameTracking(repo, from, to);
}

/** Refs move with their reflogs; a symbolic HEAD is recreated once its target exists. */
async function renameTracking(repo: Repository, from: string, to: string): Promise<void> {
  const who = reflogIdentity(repo);
  const prefix = `refs/remotes/${from}/`;
  const rename = (name: string) => `refs/remotes/${to}/${name.slice(prefix.length)}`;
  const refs = await repo.refs.list(prefix);
  const symbolic: { name: string; target: string }[] = [];
  for (const { name } of refs) {
    const value = await repo.refs.read(name);
    if (value?.kind === "symbolic") {
      symbolic.push({ name, target: value.target });
      await repo.refs.update([{ name, to: null, noDeref: true }], who);
    }
  }
  for (const { name } of refs) {
    if (symbolic.some((one) => one.name === name)) continue;
    const next = rename(name);
    await repo.refs.rename(name, next, who, `remote: renamed ${name} to ${next}`);
  }
  for (const { name, target } of symbolic) {
    const message = `remote: renamed ${name} to ${rename(name)}`;
    const next = target.startsWith(prefix) ? rename(target) : target;
    await repo.refs.update([{ name: rename(name), to: { symbolic: next }, message }], who);
  }
}
