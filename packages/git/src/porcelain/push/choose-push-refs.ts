/** Chooses the remote of a push and the refs that it updates: from the named refspecs, or from the configuration. */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { pushRemote } from "../../revision/branch-mark.ts";
import { parseRefspec, type Refspec } from "../../wire/refspec.ts";
import { type RemoteConfig, remoteConfig } from "../../wire/remote-config.ts";
import { defaultRefspecs } from "./default-refspecs.ts";
import { mappedRefspecs } from "./mapped-refspec.ts";

/** `fallback`: used before the configured remote. */
export function findPushRemote(
  repo: Repository,
  named: string | undefined,
  branch: string | null,
  fallback?: string,
): { name: string; remote: RemoteConfig } {
  const name = named ?? fallback ?? pushRemote(repo, branch ?? "");
  const remote = remoteConfig(repo.config, name);
  const isKnown = named !== undefined || remote.name !== null || repo.config.subsections("remote").includes(name);
  if (!isKnown && name === "origin") throw noDestination();
  return { name, remote };
}

export interface PushSelection {
  readonly refspecs: readonly string[];
  readonly delete: boolean;
  readonly tags: boolean;
  readonly all?: boolean;
  readonly mirror?: boolean;
}

/** `setsUpstream`: configuration says that the branch gets an upstream. */
export async function choosePushRefs(
  repo: Repository,
  remote: RemoteConfig,
  branch: string | null,
  { refspecs, delete: deletes, tags, all = false, mirror = false }: PushSelection,
): Promise<{ specs: readonly Refspec[]; setsUpstream: boolean }> {
  if (deletes && refspecs.some((text) => text === "" || text.includes(":")))
    throw new GitError("EINVAL", "--delete only accepts plain target ref names");
  const texts = [
    ...(deletes ? refspecs.map((text) => `:${text}`) : await mappedRefspecs(repo, remote, refspecs)),
    ...(all ? ["refs/heads/*:refs/heads/*"] : []),
    ...(tags ? ["refs/tags/*:refs/tags/*"] : []),
    ...(mirror ? ["+refs/*:refs/*"] : []),
  ];
  if (texts.length > 0) return { specs: texts.map((text) => parseRefspec(text, "push")), setsUpstream: false };
  if (remote.push.length > 0) return { specs: remote.push, setsUpstream: false };
  const usual = await defaultRefspecs(repo, remote, branch);
  return { specs: usual.refspecs, setsUpstream: usual.setsUpstream };
}

function noDestination(): GitError {
  return new GitError(
    "EINVAL",
    "No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n",
  );
}
