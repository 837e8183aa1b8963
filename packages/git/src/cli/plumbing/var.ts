/** `git var`. */
import { GitError } from "../../errors.ts";
import { formatSignature } from "../../object/signature.ts";
import { authorIdentity, committerIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";

type Variable = (repo: Repository, context: CommandContext) => string;

const variables: Readonly<Record<string, Variable>> = {
  GIT_COMMITTER_IDENT: (repo) => formatSignature(committerIdentity(repo)),
  GIT_AUTHOR_IDENT: (repo) => formatSignature(authorIdentity(repo)),
  GIT_EDITOR: ({ config }, { env }) =>
    env.GIT_EDITOR || config.get("core.editor") || env.VISUAL || env.EDITOR || "editor",
  GIT_SEQUENCE_EDITOR: (repo, context) =>
    context.env.GIT_SEQUENCE_EDITOR ||
    repo.config.get("sequence.editor") ||
    (variables.GIT_EDITOR as Variable)(repo, context),
  GIT_PAGER: ({ config }, { env }) => env.GIT_PAGER || config.get("core.pager") || env.PAGER || "pager",
  GIT_DEFAULT_BRANCH: ({ config }) => config.get("init.defaultbranch") ?? "master",
};

export const gitVar = defineCommand({
  name: "var",
  usage: ["git var (-l | <variable>)"],
  flags: {},
  keepUnknownOptions: true,
  async run(context, { args }) {
    const [name] = args;
    if (name === undefined || args.length !== 1) {
      throw new GitError("EUSAGE", "", { prefix: "", hint: "usage: git var (-l | <variable>)\n" });
    }
    const repo = await context.repository();
    if (name === "-l") {
      for (const { key, value } of repo.config.entries) context.out(value === null ? `${key}\n` : `${key}=${value}\n`);
      for (const [variable, value] of Object.entries(variables)) context.out(`${variable}=${value(repo, context)}\n`);
      return 0;
    }
    const variable = variables[name];
    if (!variable) throw new GitError("EUSAGE", "", { prefix: "", hint: "usage: git var (-l | <variable>)\n" });
    context.out(`${variable(repo, context)}\n`);
    return 0;
  },
});
