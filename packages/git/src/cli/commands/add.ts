/** `git add` */
import { advice } from "../../config/advice.ts";
import { GitError } from "../../errors.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { add as addPaths } from "../../porcelain/add.ts";
import { quotePath } from "../../text/quote-path.ts";
import { pathspecArguments, pathspecFlags } from "../flags/pathspec-arguments.ts";
import { defineCommand } from "../framework/command.ts";

export const add = defineCommand({
  name: "add",
  usage: ["git add [<options>] [--] <pathspec>..."],
  flags: {
    dryRun: { short: "-n", long: "--dry-run", help: "dry run" },
    verbose: { short: "-v", long: "--verbose", value: "count", help: "be verbose" },
    interactive: { short: "-i", long: "--interactive", help: "interactive picking" },
    patch: { short: "-p", long: "--patch", help: "select hunks interactively" },
    edit: { short: "-e", long: "--edit", help: "edit current diff and apply" },
    force: { short: "-f", long: "--force", help: "allow adding otherwise ignored files" },
    update: { short: "-u", long: "--update", help: "update tracked files" },
    renormalize: { long: "--renormalize", help: "renormalize EOL of tracked files (implies -u)" },
    intentToAdd: {
      short: "-N",
      long: "--intent-to-add",

      help: "record only the fact that the path will be added later",
    },
    all: { short: "-A", long: "--all", help: "add changes from all tracked and untracked files" },
    ignoreRemoval: {
      long: "--ignore-removal",

      help: "ignore paths removed in the working tree (same as --no-all)",
    },
    refresh: { long: "--refresh", help: "don't add, only refresh the index" },
    ignoreErrors: {
      long: "--ignore-errors",

      help: "just skip files which cannot be added because of errors",
    },
    ignoreMissing: {
      long: "--ignore-missing",

      help: "check if - even missing - files are ignored in dry run",
    },
    sparse: { long: "--sparse", help: "allow updating entries outside of the sparse-checkout cone" },
    chmod: { long: "--chmod", value: "string", arg: "(+|-)x", help: "override the executable bit of the listed files" },
    ...pathspecFlags,
  },
  async run(context, { flags, args, afterDashes, order }) {
    const repo = await context.workTree();
    if (flags.interactive || flags.patch || flags.edit) {
      const flag = flags.interactive ? "--interactive" : flags.patch ? "--patch" : "--edit";
      throw new GitError(
        "EUNSUPPORTED",
        `git add ${flag} needs a terminal; name the files to add, or use 'git apply --cached'`,
      );
    }
    const input = await pathspecArguments(context, flags, [...args, ...(afterDashes ?? [])]);
    const removal = order.findLast(({ name }) => name === "all" || name === "ignoreRemoval");
    const all = removal === undefined ? undefined : (removal.name === "all") === removal.value;
    if (flags.update && all) throw new GitError("EINVAL", "options '-A' and '-u' cannot be used together");
    if (flags.ignoreMissing && !flags.dryRun) {
      throw new GitError("EINVAL", "the option '--ignore-missing' requires '--dry-run'");
    }
    const { chmod } = flags;
    if (typeof chmod === "string" && chmod !== "+x" && chmod !== "-x") {
      throw new GitError("EINVAL", `--chmod param '${chmod}' must be either -x or +x`);
    }
    const wholeTree = flags.update || all;
    if (input.length === 0 && !wholeTree) {
      context.err("Nothing specified, nothing added.\n");
      context.err(advice(repo.config, "addEmptyPathspec", EMPTY));
      return 0;
    }
    const result = await addPaths(repo, {
      pathspec: parsePathspec(repo, input),
      mode: flags.update ? "update" : all === false ? "keep-removed" : "all",
      dryRun: flags.dryRun,
      force: flags.force,
      intentToAdd: flags.intentToAdd,
      refreshOnly: flags.refresh,
      renormalize: flags.renormalize,
      ignoreMissing: flags.ignoreMissing,
      // Applies to listed files only: `-u` and `-A` alone list none.
      ...(input.length > 0 && (chmod === "+x" || chmod === "-x") ? { chmod } : {}),
    });
    for (const path of result.unmerged) context.out(`${path}: needs merge\n`);
    for (const path of result.embedded) {
      context.err(`warning: adding embedded git repository: ${path}\n`);
      if (path === result.embedded[0]) context.err(advice(repo.config, "addEmbeddedRepo", embeddedText(path)));
    }
    if (flags.verbose || flags.dryRun) for (const { kind, path } of result.actions) context.out(`${kind} '${path}'\n`);
    for (const path of result.unchanged) context.err(`error: cannot chmod ${chmod} '${path}'\n`);
    if (result.ignored.length === 0) return result.unchanged.length > 0 ? 255 : 0;
    context.err("The following paths are ignored by one of your .gitignore files:\n");
    for (const path of result.ignored) context.err(`${quotePath(path, { full: false })}\n`);
    context.err(advice(repo.config, "addIgnoredFile", IGNORED));
    return 1;
  },
});

const EMPTY = `Maybe you wanted to say 'git add .'?
Turn this message off by running
"git config advice.addEmptyPathspec false"`;

const IGNORED = `Use -f if you really want to add them.
Turn this message off by running
"git config advice.addIgnoredFile false"`;

const embeddedText = (path: string) => `You've added another git repository inside your current repository.
Clones of the outer repository will not contain the contents of
the embedded repository and will not know how to obtain it.
If you meant to add a submodule, use:

	git submodule add <url> ${path}

If you added this path by mistake, you can remove it from the
index with:

	git rm --cached ${path}

See "git help submodule" for more information.`;
