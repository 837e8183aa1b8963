/**
 * The repository at a path or file:// URL, in the same file system. Found where git's `enter_repo` finds one, and opened without
 * the caller's environment variables that locate a repository.
 */

import type { GitHost } from "../host.ts";
import { isGitDirectory } from "../repository/git-directory.ts";
import { openRepository } from "../repository/open-repository.ts";
import type { Repository } from "../repository.ts";

const SUFFIXES = ["/.git", "", ".git/.git", ".git"];
/** Variables that locate a repository, and would locate the caller's. */
const PLACES =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|CONFIG_.*|NAMESPACE)$/;

/** Null: not found. */
export async function openLocal(
  host: GitHost,
  path: string,
  env: Readonly<Record<string, string>>,
): Promise<Repository | null> {
  const gitDir = await findLocal(host, path);
  if (gitDir === null) return null;
  const retained = Object.fromEntries(
    Object.entries(env).filter(([name]) => !PLACES.test(name) || name === "GIT_CONFIG_NOSYSTEM"),
  );
  const inside = gitDir.endsWith("/.git") ? gitDir.slice(0, -"/.git".length) : gitDir;
  return openRepository(host, { cwd: inside, isMeant: true, env: { ...retained, GIT_CEILING_DIRECTORIES: inside } });
}

/** Its `.git` directory, or itself if it is bare. */
export async function findLocal({ fs }: GitHost, path: string): Promise<string | null> {
  const base = path.length > 1 ? path.replace(/(?<!\/)\/+$/, () => "") : path;
  for (const suffix of SUFFIXES) {
    const candidate = `${base}${suffix}`;
    const stat = await fs.stat(candidate).catch(() => null);
    if (stat?.isFile() && suffix.endsWith("/.git")) return candidate;
    if (stat?.isDirectory() && (await isGitDirectory(fs, candidate))) return candidate;
  }
  return null;
}
