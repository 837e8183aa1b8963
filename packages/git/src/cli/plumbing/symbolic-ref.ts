/** `git symbolic-ref`. */
import { GitError } from "../../errors.ts";
import { isRefName } from "../../refs/ref-name.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import { shortenRef } from "../../revision/shorten-ref.ts";
import { defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

export const symbolicRef = defineCommand({
  name: "symbolic-ref",
  usage: [
    "git symbolic-ref [-m <reason>] <name> <ref>",
    "git symbolic-ref [-q] [--short] [--no-recurse] <name>",
    "git symbolic-ref --delete [-q] <name>",
  ],
  flags: {
    quiet: {
      short: "-q",
      long: "--quiet",

      help: "suppress error message for non-symbolic (detached) refs",
    },
    delete: { short: "-d", long: "--delete", help: "delete symbolic ref" },
    short: { long: "--short", help: "shorten ref output" },
    recurse: { long: "--recurse", help: "recursively dereference (default)" },
    message: { short: "-m", value: "string", arg: "<reason>", help: "reason of the update" },
  },
  async run(context, { flags, args, afterDashes }) {
    const words = [...args, ...(afterDashes ?? [])];
    if (flags.message === "") throw new GitError("EINVAL", "Refusing to perform update with empty message");
    const usage = () => new GitError("EUSAGE", "", { prefix: "", hint: usageText(symbolicRef) });
    const repo = await context.repository();
    const [name, target] = words;
    if (name === undefined || words.length > (flags.delete ? 1 : 2)) throw usage();
    if (flags.delete) {
      const value = await repo.refs.read(name);
      if (value?.kind !== "symbolic") throw new GitError("EINVAL", `Cannot delete ${name}, not a symbolic ref`);
      if (name === "HEAD") throw new GitError("EINVAL", `deleting '${name}' is not allowed`);
      await repo.refs.update([{ name, to: null, noDeref: true }], reflogIdentity(repo));
      return 0;
    }
    if (target === undefined) {
      const value = await repo.refs.read(name);
      if (value?.kind !== "symbolic") {
        if (flags.quiet) return 1;
        throw new GitError("EINVAL", `ref ${name} is not a symbolic ref`);
      }
      const end = flags.recurse === false ? value.target : ((await repo.refs.resolve(name))?.name ?? value.target);
      context.out(`${flags.short ? await shortenRef(repo, end, false) : end}\n`);
      return 0;
    }
    if (name === "HEAD" && !target.startsWith("refs/")) {
      throw new GitError("EINVAL", "Refusing to point HEAD outside of refs/");
    }
    if (!isRefName(target, { oneLevel: true })) {
      throw new GitError("EINVAL", `Refusing to set '${name}' to invalid ref '${target}'`);
    }
    await repo.refs
      .update([{ name, to: { symbolic: target }, message: flags.message || "" }], reflogIdentity(repo))
      .catch((error) => {
        if (!(error instanceof GitError)) throw error;
        throw new GitError(error.code, error.message, { prefix: "error", exitCode: 1, cause: error });
      });
    return 0;
  },
});
