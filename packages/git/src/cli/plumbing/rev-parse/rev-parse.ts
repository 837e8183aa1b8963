/**
 * `git rev-parse`: handles arguments in order, since options change how later ones print. Most of its arguments are options of
 * other commands, so it parses them itself, without a table.
 */
import { GitError } from "../../../errors.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { verifyFile } from "../../../revision/verify-argument.ts";
import { defineCommand } from "../../framework/command.ts";
import { applyMode } from "./mode-options.ts";
import { RevParseOutput } from "./output.ts";
import { answerPlace, isPlaceOption, resolveGitDir } from "./place-options.ts";
import { showParents, showRange } from "./ranges.ts";
import { showRefs } from "./ref-options.ts";
import { shellQuoted } from "./shell-quoted.ts";

export const revParse = defineCommand({
  name: "rev-parse",
  usage: [
    "git rev-parse --parseopt [<options>] -- [<args>...]",
    "git rev-parse --sq-quote [<arg>...]",
    "git rev-parse [<options>] [<arg>...]",
  ],
  flags: {},
  keepUnknownOptions: true,
  async run(context, { args, afterDashes }) {
    if (args[0] === "--sq-quote") {
      context.out(`${[...args.slice(1), ...(afterDashes ?? [])].map((word) => ` ${shellQuoted(word)}`).join("")}\n`);
      return 0;
    }
    if (args[0] === "--parseopt") throw new GitError("EUNSUPPORTED", "rev-parse --parseopt is not supported here");
    if (args[0] === "--local-env-vars") {
      context.out(LOCAL_VARIABLES);
      return 0;
    }
    if (args[0] === "--resolve-git-dir") {
      context.out(`${await resolveGitDir(context.host.fs, context.cwd, args[1])}\n`);
      return 0;
    }
    const opened = await context.repository();
    const output = new RevParseOutput(opened, (text) => context.out(text));
    const words = [...args];
    let repo = opened;
    while (words.length > 0) {
      const word = words.shift() as string;
      if (await isDone(context.cwd, repo, output, word, words, afterDashes !== null)) {
        // As if started in that directory.
        if (output.prefix !== null) repo = { ...opened, prefix: output.prefix };
        continue;
      }
      // Neither an option nor a revision: this and all later arguments are files.
      for (const [i, path] of [word, ...words].entries()) {
        if (!(await output.file(path))) return finish(output);
        await verifyFile(repo, path, i === 0);
      }
      break;
    }
    if (afterDashes !== null) {
      if (output.showsFlags || output.showsRevisions) await output.file("--");
      for (const path of afterDashes) await output.file(path);
    }
    return finish(output);
  },
});

/** Returns true if it handled the word, with any arguments it took from `words`. */
async function isDone(
  cwd: string,
  repo: Repository,
  output: RevParseOutput,
  word: string,
  words: string[],
  hasDashes: boolean,
): Promise<boolean> {
  if (word === "--end-of-options" && !output.optionsEnded) {
    output.optionsEnded = true;
    if (output.showsFlags) output.show(word);
    return true;
  }
  if (word.startsWith("-") && !output.optionsEnded) {
    if (applyMode(output, word, words)) return true;
    if (isPlaceOption(word)) {
      output.line(await answerPlace({ cwd, repo, output }, word, words));
      return true;
    }
    if (await showRefs(repo, output, word)) return true;
    if (!output.flag(word) && output.verify) throw output.notSingle();
    return true;
  }
  if (await showRange(repo, output, word)) return true;
  if (await showParents(repo, output, word)) return true;
  const reversed = word.startsWith("^");
  const name = reversed ? word.slice(1) : word;
  const found = await findRevision(repo, name, { quiet: output.quiet }).catch((error) => {
    if (!output.quiet || !(error instanceof GitError)) throw error;
    throw new GitError(error.code, "", { prefix: "", cause: error });
  });
  if (found) {
    if (output.verify) output.verified.push({ reversed, oid: found.oid, name });
    else await output.revision(reversed, found.oid, name);
    return true;
  }
  if (output.verify) throw output.notSingle();
  if (hasDashes) throw new GitError("ENOTFOUND", `bad revision '${word}'`);
  return false;
}

async function finish(output: RevParseOutput): Promise<number> {
  if (!output.verify) {
    await output.showDefault();
    return output.end();
  }
  const [only, more] = output.verified;
  if (only && !more) await output.revision(only.reversed, only.oid, only.name);
  else if (only || !(await output.showDefault())) throw output.notSingle();
  return output.end();
}

const LOCAL_VARIABLES = `GIT_ALTERNATE_OBJECT_DIRECTORIES
GIT_CONFIG
GIT_CONFIG_PARAMETERS
GIT_CONFIG_COUNT
GIT_OBJECT_DIRECTORY
GIT_DIR
GIT_WORK_TREE
GIT_IMPLICIT_WORK_TREE
GIT_GRAFT_FILE
GIT_INDEX_FILE
GIT_NO_REPLACE_OBJECTS
GIT_REPLACE_REF_BASE
GIT_PREFIX
GIT_INTERNAL_SUPER_PREFIX
GIT_SHALLOW_FILE
GIT_COMMON_DIR
`;
