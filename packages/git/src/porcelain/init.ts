/** Decides where `git init` creates a repository: the directory, and the options and environment variables that change it. */
import { GitError } from "../errors.ts";
import type { InitOptions } from "../repository/init-repository.ts";
import type { OpenOptions } from "../repository.ts";
import { absolutePath } from "../text/absolute-path.ts";

export function chooseInitDirectories(
  open: OpenOptions,
  named: string | undefined,
  asksBare: boolean,
): Pick<InitOptions, "directory" | "gitDir" | "workTree"> & { readonly bare: boolean } {
  const { cwd, env = {} } = open;
  const directory = absolutePath(named ?? ".", cwd);
  // `git --bare` creates the repository here, or in the named directory, whatever GIT_DIR says.
  const globally = env.GIT_IMPLICIT_WORK_TREE === "0";
  const gitDir = globally && named !== undefined ? directory : (open.gitDir ?? env.GIT_DIR);
  const workTree = open.workTree ?? env.GIT_WORK_TREE;
  const bare = asksBare || globally || (workTree === undefined && looksBare(gitDir));
  if (workTree !== undefined && (gitDir === undefined || bare)) {
    throw new GitError(
      "EINVAL",
      "GIT_WORK_TREE (or --work-tree=<directory>) not allowed without specifying GIT_DIR (or --git-dir=<directory>)",
    );
  }
  return {
    directory,
    bare,
    ...(gitDir ? { gitDir: absolutePath(gitDir, directory) } : {}),
    ...(workTree && gitDir ? { workTree: absolutePath(workTree, cwd) } : {}),
  };
}

/** Whether a git directory given without a work tree looks bare. */
function looksBare(gitDir: string | undefined): boolean {
  return gitDir !== undefined && !/(^|\/)\.git$/.test(gitDir);
}
