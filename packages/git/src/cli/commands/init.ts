/** `git init`. `--shared` is accepted and ignored: a workspace has no other users. */

import { GitError } from "../../errors.ts";
import { chooseInitDirectories } from "../../porcelain/init.ts";
import { initRepository } from "../../repository/init-repository.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { defineCommand } from "../framework/command.ts";

export const init = defineCommand({
  name: "init",
  usage: [
    "git init [-q | --quiet] [--bare] [--template=<template-directory>]\n         [--separate-git-dir <git-dir>] [--object-format=<format>]\n         [-b <branch-name> | --initial-branch=<branch-name>]\n         [--shared[=<permissions>]] [<directory>]",
  ],
  flags: {
    template: {
      long: "--template",
      value: "string",
      arg: "<template-directory>",
      help: "directory from which templates will be used",
    },
    bare: { long: "--bare", help: "create a bare repository" },
    shared: {
      long: "--shared",
      value: "optional",
      arg: "<permissions>",
      help: "specify that the git repository is to be shared amongst several users",
    },
    quiet: { short: "-q", long: "--quiet", help: "be quiet" },
    separateGitDir: {
      long: "--separate-git-dir",
      value: "string",
      arg: "<gitdir>",
      help: "separate git dir from working tree",
    },
    initialBranch: {
      short: "-b",
      long: "--initial-branch",
      value: "string",
      arg: "<name>",
      help: "override the name of the initial branch",
    },
    objectFormat: {
      long: "--object-format",
      value: "string",
      arg: "<hash>",
      help: "specify the hash algorithm to use",
    },
  },
  async run(context, { flags, args, afterDashes }) {
    const words = [...args, ...(afterDashes ?? [])];
    if (words.length > 1) {
      throw new GitError("EUSAGE", "", { hint: `usage: ${init.usage[0]}\n` });
    }
    const { separateGitDir, initialBranch, objectFormat, template } = flags;
    if (flags.bare && separateGitDir) {
      throw new GitError("EINVAL", "options '--separate-git-dir' and '--bare' cannot be used together");
    }
    if (objectFormat && objectFormat !== "sha1") {
      const known = objectFormat === "sha256";
      if (!known) throw new GitError("EINVAL", `unknown hash algorithm '${objectFormat}'`);
      throw new GitError("EUNSUPPORTED", "the hash algorithm sha256 is not supported here");
    }
    const { env, cwd } = context;
    const where = chooseInitDirectories(context.open, words[0], flags.bare === true);
    if (where.bare && separateGitDir) {
      throw new GitError("EINVAL", "--separate-git-dir incompatible with bare repository");
    }
    const result = await initRepository(context.host, {
      ...where,
      ...(initialBranch ? { initialBranch } : {}),
      ...(separateGitDir ? { separateGitDir: absolutePath(separateGitDir, cwd) } : {}),
      ...(template === undefined ? {} : { template: template ? absolutePath(template, cwd) : "" }),
      env,
      config: context.open.config,
      warn: context.open.warn,
    });
    if (result.existed && initialBranch) context.err(`warning: re-init: ignored --initial-branch=${initialBranch}\n`);
    if (!result.existed && result.branchByDefault && !flags.quiet) context.err(branchHint(result.branch));
    if (flags.quiet) return 0;
    const what = result.existed ? "Reinitialized existing" : "Initialized empty";
    context.out(`${what} Git repository in ${result.gitDir}/\n`);
    return 0;
  },
});

/** git's hint while no default branch name is configured; also printed after `clone` of an empty repository. */
function branchHint(branch: string): string {
  return `hint: Using '${branch}' as the name for the initial branch. This default branch name
hint: is subject to change. To configure the initial branch name to use in all
hint: of your new repositories, which will suppress this warning, call:
hint: 
hint: \tgit config --global init.defaultBranch <name>
hint: 
hint: Names commonly chosen instead of 'master' are 'main', 'trunk' and
hint: 'development'. The just-created branch can be renamed via this command:
hint: 
hint: \tgit branch -m <name>
`;
}
