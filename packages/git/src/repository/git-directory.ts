/**
 * Finds the repository as git does: `--git-dir` or GIT_DIR, else `.git` (a directory, or a file that names one) or a bare
 * repository here or above, up to GIT_CEILING_DIRECTORIES.
 */

import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { parseOid } from "../object/oid.ts";
import type { OpenOptions } from "../repository.ts";
import { absolutePath, parentDirectory } from "../text/absolute-path.ts";
import { decode } from "../text/bytes.ts";

export interface DiscoveredGitDir {
  /** Absolute. */
  readonly gitDir: string;
  /** The directory that contains `.git`; null: the git directory was given explicitly, or is bare. */
  readonly found: string | null;
  /** Where the search began, links resolved. */
  readonly cwd: string;
  /** Given by option or environment. */
  readonly named: boolean;
  /** As the user wrote it. */
  readonly typed?: string;
}

type Fs = GitHost["fs"];

export async function discoverGitDirectory(
  host: GitHost,
  { cwd: requested, env = {}, gitDir }: OpenOptions,
): Promise<DiscoveredGitDir> {
  const { fs } = host;
  const cwd = await fs.realpath(requested).catch(() => requested);
  const named = gitDir ?? env.GIT_DIR;
  if (named !== undefined && named !== "") {
    const path = absolutePath(named, cwd);
    const real = (await isGitFile(fs, path)) ? await readGitFile(fs, path) : path;
    if (!(await isGitDirectory(fs, real))) throw new GitError("ENOREPO", `not a git repository: '${named}'`);
    return { gitDir: await fs.realpath(real).catch(() => real), found: null, cwd, named: true, typed: named };
  }
  const ceilings: string[] = [];
  const listed = (env.GIT_CEILING_DIRECTORIES ?? "").split(":");
  for (const [i, path] of listed.entries()) {
    // After an empty entry, links are not resolved.
    const literal = listed.slice(0, i).includes("");
    if (path.startsWith("/")) ceilings.push(literal ? path : await fs.realpath(path).catch(() => path));
  }
  for (let dir = cwd; ; dir = parentDirectory(dir)) {
    const inside = `${dir === "/" ? "" : dir}/.git`;
    const stat = await fs.stat(inside).catch(() => null);
    if (stat?.isFile()) return { gitDir: await readGitFile(fs, inside), found: dir, cwd, named: false };
    if (stat && (await isGitDirectory(fs, inside))) {
      return { gitDir: await fs.realpath(inside).catch(() => inside), found: dir, cwd, named: false };
    }
    if (await isGitDirectory(fs, dir)) return { gitDir: dir, found: null, cwd, named: false };
    if (dir === "/" || ceilings.some((ceiling) => parentDirectory(dir) === trimSlash(ceiling))) break;
  }
  throw new GitError("ENOREPO", "not a git repository (or any of the parent directories): .git");
}

/** HEAD is a ref or an id, and `objects` and `refs` exist. */
export async function isGitDirectory(fs: Fs, path: string): Promise<boolean> {
  const [head, common] = await fs.readMany([`${path}/HEAD`, `${path}/commondir`]);
  if (!head) return false;
  const text = decode(head.subarray(0, 256));
  if (!parseOid(text.slice(0, 40)) && !/^ref:\s*refs\//.test(text)) return false;
  const base = common ? absolutePath(decode(common).trim(), path) : path;
  const [objects, refs] = await Promise.all(
    [`${base}/objects`, `${base}/refs`].map((dir) =>
      fs.stat(dir).then(
        (stat) => stat.isDirectory(),
        () => false,
      ),
    ),
  );
  return objects === true && refs === true;
}

/** The common directory of a linked work tree, or the git directory itself. */
export async function commonDirectory(fs: Fs, gitDir: string, env: Readonly<Record<string, string>>): Promise<string> {
  if (env.GIT_COMMON_DIR) return absolutePath(env.GIT_COMMON_DIR, gitDir);
  const [file] = await fs.readMany([`${gitDir}/commondir`]);
  return file ? absolutePath(decode(file).trim(), gitDir) : gitDir;
}

async function isGitFile(fs: Fs, path: string): Promise<boolean> {
  return fs.stat(path).then(
    (stat) => stat.isFile(),
    () => false,
  );
}

/** `gitdir: <path>`, relative to the file. */
export async function readGitFile(fs: Fs, path: string): Promise<string> {
  const text = decode(await fs.readFile(path));
  if (!text.startsWith("gitdir: ")) throw new GitError("ENOREPO", `invalid gitfile format: ${path}`);
  const named = text.slice("gitdir: ".length).replace(/(?<![\r\n])[\r\n]+$/, "");
  if (named === "") throw new GitError("ENOREPO", `no path in gitfile: ${path}`);
  const gitDir = absolutePath(named, parentDirectory(path));
  if (!(await isGitDirectory(fs, gitDir))) throw new GitError("ENOREPO", `not a git repository: ${gitDir}`);
  return fs.realpath(gitDir).catch(() => gitDir);
}

function trimSlash(path: string): string {
  return path.length > 1 ? path.replace(/(?<!\/)\/+$/, "") : path;
}
