/** Changes a configuration file under its lock. */

import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { errnoText, lockFile } from "../lock-file.ts";
import { absolutePath } from "../text/absolute-path.ts";
import { fromLatin1, toLatin1 } from "./config-syntax.ts";
import { setConfigValue, unsetConfigValue } from "./edit-config.ts";

interface ConfigTarget {
  readonly path: string;
  /** In errors; default the path. */
  readonly displayed?: string;
}

/** `edit` gets and returns a binary string, as `edit-config.ts` takes it. */
export async function editConfigFile(
  host: Pick<GitHost, "fs" | "epoch">,
  target: ConfigTarget,
  edit: (text: string) => string,
): Promise<void> {
  const { displayed = target.path } = target;
  const path = await followLinks(host.fs, target.path);
  const directory = path.slice(0, path.lastIndexOf("/")) || "/";
  if (!(await host.fs.exists(directory))) throw cannotLock(displayed, errnoText("ENOENT"));
  const lock = await lockFile(host, path).catch((error) => {
    const code = (error as { cause?: { code?: string } }).cause?.code;
    throw cannotLock(displayed, errnoText(code), error);
  });
  try {
    const stat = await host.fs.stat(path).catch(() => null);
    const [content] = stat ? await host.fs.readMany([path]) : [null];
    const before = content ? toLatin1(content) : "";
    const after = edit(before);
    await lock.commit(fromLatin1(after), stat ? { mode: stat.mode & 0o7777 } : {});
  } finally {
    await lock.release();
  }
}

/** The file to write, which need not exist yet: a link is followed and stays. */
async function followLinks(fs: GitHost["fs"], path: string): Promise<string> {
  for (let at = path, steps = 0; steps < MAX_LINKS; steps++) {
    const link = await fs.readlink(at).catch(() => null);
    if (link === null) return at;
    at = absolutePath(link, at.slice(0, at.lastIndexOf("/")));
  }
  return path;
}

const MAX_LINKS = 5;

function cannotLock(displayed: string, reason: string, cause?: unknown): GitError {
  return new GitError("ELOCKED", `could not lock config file ${displayed}: ${reason}`, {
    prefix: "error",
    exitCode: 255,
    cause,
  });
}

type ConfigRepository = {
  readonly host: GitHost;
  readonly gitDir: string;
  readonly commonDir?: string;
  readonly displayGitDir?: string;
};

/** The repository's own file, or that of this work tree. */
export function localConfigFile(
  { gitDir, commonDir = gitDir, displayGitDir }: Omit<ConfigRepository, "host">,
  ofWorkTree = false,
): ConfigTarget {
  const name = ofWorkTree ? "config.worktree" : "config";
  const path = `${ofWorkTree ? gitDir : commonDir}/${name}`;
  return displayGitDir !== undefined && commonDir === gitDir
    ? { path, displayed: displayGitDir === "." ? name : `${displayGitDir}/${name}` }
    : { path };
}

/**
 * Several variables of the repository's own file in one write; null removes all of a name. An open repository keeps the
 * configuration it read.
 */
export async function setLocalConfig(
  repo: ConfigRepository,
  changes: readonly { readonly key: string; readonly value: string | null; readonly add?: boolean }[],
): Promise<void> {
  const target = localConfigFile(repo);
  await editConfigFile(repo.host, target, (text) => {
    let edited = text;
    const file = target.displayed ?? target.path;
    for (const { key, value, add } of changes) {
      if (value !== null) edited = setConfigValue(edited, key, value, { file, all: !add, add });
      else edited = unsetAll(edited, key, file);
    }
    return edited;
  });
}

function unsetAll(text: string, key: string, file: string): string {
  try {
    return unsetConfigValue(text, key, { file, all: true });
  } catch (error) {
    if (error instanceof GitError && error.exitCode === 5) return text;
    throw error;
  }
}
