/** Options that print locations: `--git-dir`, `--show-toplevel`, and the like. */

import { GitError } from "../../../errors.ts";
import { isGitDirectory, readGitFile } from "../../../repository/git-directory.ts";
import type { Repository } from "../../../repository.ts";
import { readShallow } from "../../../revision/commit-node.ts";
import { absolutePath } from "../../../text/absolute-path.ts";
import { split } from "./mode-options.ts";
import type { RevParseOutput } from "./output.ts";

interface LocationQuery {
  readonly cwd: string;
  readonly repo: Repository;
  readonly output: RevParseOutput;
}

export function isPlaceOption(word: string): boolean {
  return split(word)[0] in answers;
}

/** Null: prints nothing. */
export async function answerPlace(requested: LocationQuery, word: string, words: string[]): Promise<string | null> {
  const [name, value] = split(word);
  return (answers[name] as LocationAnswer)(requested, value, words);
}

type LocationAnswer = (
  requested: LocationQuery,
  value: string | undefined,
  words: string[],
) => string | null | Promise<string | null>;

const answers: Readonly<Record<string, LocationAnswer>> = {
  "--show-toplevel": ({ repo, output, cwd }) => {
    if (repo.workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
    return path(output, cwd, repo.workTree, "absolute");
  },
  "--show-prefix": ({ repo }) => repo.prefix,
  "--show-cdup": ({ repo, cwd }) => {
    if (repo.workTree === null || !isInside(cwd, repo.workTree)) return repo.workTree;
    return "../".repeat(repo.prefix.split("/").length - 1);
  },
  "--show-superproject-working-tree": () => null,
  "--git-dir": ({ repo, output, cwd }) => {
    const displayed = gitDirAsDisplayed(repo, cwd);
    return output.pathFormat === "default" ? displayed : path(output, cwd, repo.gitDir, "absolute");
  },
  "--absolute-git-dir": ({ repo }) => repo.gitDir,
  "--git-common-dir": ({ repo, output, cwd }) => path(output, cwd, repo.commonDir ?? repo.gitDir, nearness(repo)),
  "--git-path": ({ repo, output, cwd }, _value, words) => {
    const name = words.shift();
    if (name === undefined) throw new GitError("EINVAL", "--git-path requires an argument");
    return path(output, cwd, gitPath(repo, name), nearness(repo));
  },
  "--shared-index-path": () => null,
  // Inside its work tree git changes to the top of it.
  "--is-inside-git-dir": ({ repo, cwd }) =>
    String(isInside(isInWorkTree(repo, cwd) ? (repo.workTree as string) : cwd, repo.gitDir)),
  "--is-inside-work-tree": ({ repo, cwd }) => String(isInWorkTree(repo, cwd)),
  "--is-bare-repository": ({ repo }) => String(repo.bare ?? repo.workTree === null),
  "--is-shallow-repository": async ({ repo }) => String((await readShallow(repo)).size > 0),
  "--show-object-format": (_requested, value = "storage") => {
    if (!["storage", "input", "output"].includes(value)) {
      throw new GitError("EINVAL", `unknown mode for --show-object-format: ${value}`);
    }
    return "sha1";
  },
  "--resolve-git-dir": ({ repo, cwd }, _value, words) => resolveGitDir(repo.fs, cwd, words.shift()),
};

/** Handles `--resolve-git-dir`, which also works outside a repository. */
export async function resolveGitDir(fs: Repository["fs"], cwd: string, name: string | undefined): Promise<string> {
  if (name === undefined) throw new GitError("EINVAL", "--resolve-git-dir requires an argument");
  const position = absolutePath(name, cwd);
  if (await isGitDirectory(fs, position)) return name;
  const linked = await readGitFile(fs, position).catch(() => null);
  if (linked !== null) return linked;
  throw new GitError("ENOREPO", `not a gitdir '${name}'`);
}

/**
 * git prints the path it uses: ".git" at the top, an absolute path below it, "." in a bare repository, or the path it was given.
 */
function gitDirAsDisplayed({ gitDir, prefix, displayGitDir = gitDir }: Repository, cwd: string): string {
  if (displayGitDir === ".git" && prefix !== "") return gitDir;
  void cwd;
  return displayGitDir;
}

/** The actual path of a name inside the git directory. */
function gitPath({ gitDir, commonDir = gitDir, indexPath, env }: Repository, name: string): string {
  if (name === "index") return indexPath;
  if (env.GIT_OBJECT_DIRECTORY && (name === "objects" || name.startsWith("objects/"))) {
    return `${env.GIT_OBJECT_DIRECTORY}${name.slice("objects".length)}`;
  }
  const shared = /^(objects|refs|packed-refs|config|info|hooks|branches|description|remotes|shallow|logs)(\/|$)/.test(
    name,
  );
  const own = /^(logs\/HEAD|refs\/(bisect|worktree|rewritten))/.test(name);
  return `${shared && !own ? commonDir : gitDir}/${name}`;
}

/** If git itself has only an absolute path, it prints that. */
function nearness({ displayGitDir = "" }: Repository): "absolute" | "relative-if-near" {
  return displayGitDir.startsWith("/") ? "absolute" : "relative-if-near";
}

function isInWorkTree({ workTree }: Repository, cwd: string): boolean {
  return workTree !== null && isInside(cwd, workTree);
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === "/" ? "/" : `${directory}/`);
}

function path(
  output: RevParseOutput,
  cwd: string,
  absolute: string,
  byDefault: "absolute" | "relative-if-near",
): string {
  if (output.pathFormat === "absolute" || (output.pathFormat === "default" && byDefault === "absolute"))
    return absolute;
  return relativePath(absolute, cwd) || (output.pathFormat === "relative" ? "./" : ".");
}

function relativePath(to: string, from: string): string {
  const [a, b] = [to.split("/").filter(Boolean), from.split("/").filter(Boolean)];
  let common = 0;
  while (common < a.length && common < b.length && a[common] === b[common]) common++;
  const up = "../".repeat(b.length - common);
  return `${up}${a.slice(common).join("/")}`;
}
