/** `git check-ignore` */
import { GitError } from "../../errors.ts";
import { openIgnores } from "../../ignore/ignores.ts";
import { checkGitlinks, checkSymlinks } from "../../index/check-pathspec.ts";
import { lowerBoundPath } from "../../index/index-table.ts";
import { readColumnarIndex } from "../../index/read-index.ts";
import type { PathspecItem } from "../../pathspec/parse-pathspec.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { quotePath, quotesFully, unquotedLine } from "../../text/quote-path.ts";
import { defineCommand } from "../framework/command.ts";

export const checkIgnore = defineCommand({
  name: "check-ignore",
  usage: ["git check-ignore [<options>] <pathname>...", "git check-ignore [<options>] --stdin"],
  flags: {
    quiet: { short: "-q", long: "--quiet", help: "suppress progress reporting" },
    verbose: { short: "-v", long: "--verbose", help: "be verbose" },
    stdin: { long: "--stdin", help: "read file names from stdin" },
    nul: { short: "-z", help: "terminate input and output records by a NUL character" },
    nonMatching: { short: "-n", long: "--non-matching", help: "show non-matching input paths" },
    noIndex: { long: "--no-index", help: "ignore index when checking" },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.workTree();
    const input = [...args, ...(afterDashes ?? [])];
    if (flags.stdin && input.length > 0) throw new GitError("EINVAL", "cannot specify pathnames with --stdin");
    if (!flags.stdin && flags.nul) throw new GitError("EINVAL", "-z only makes sense with --stdin");
    if (!flags.stdin && input.length === 0) throw new GitError("EINVAL", "no path specified");
    if (flags.quiet && input.length > 1) throw new GitError("EINVAL", "--quiet is only valid with a single pathname");
    if (flags.quiet && flags.verbose) throw new GitError("EINVAL", "cannot have both --quiet and --verbose");
    if (flags.nonMatching && !flags.verbose)
      throw new GitError("EINVAL", "--non-matching is only valid with --verbose");
    const { table } = await readColumnarIndex(repo);
    const ignores = await openIgnores(repo);
    const full = quotesFully(repo.config);
    let found = 0;
    const check = async ({ match, original }: PathspecItem) => {
      const path = match.replace(/\/$/, () => "");
      await ignores.prepare([path]);
      const staged = !flags.noIndex && isStaged(table, path);
      const stat = await repo.fs.lstat(`${repo.workTree}/${path}`).catch(() => null);
      const isDirectory = match.endsWith("/") || stat?.type === "dir";
      const verdict = path === "" || staged ? null : ignores.verdict(path, isDirectory);
      const rule = flags.verbose ? verdict?.rule : verdict?.ignored ? verdict.rule : undefined;
      if (rule) found++;
      if (flags.quiet || (!rule && !flags.nonMatching)) return;
      const name = flags.nul ? original : quotePath(original, { full });
      if (!flags.verbose) context.out(flags.nul ? `${name}\0` : `${name}\n`);
      else if (flags.nul)
        context.out([rule?.source ?? "", rule?.line ?? "", rule?.pattern ?? "", original, ""].join("\0"));
      else if (rule) context.out(`${quotePath(rule.source, { full })}:${rule.line}:${rule.pattern}\t${name}\n`);
      else context.out(`::\t${name}\n`);
    };
    const checkAll = async (names: readonly string[]) => {
      const pathspec = parsePathspec(repo, names, { prefer: "cwd" });
      pathspec.refuse(["literal", "glob", "icase", "exclude", "attr"]);
      checkGitlinks(table, pathspec);
      await checkSymlinks(repo, pathspec);
      for (const item of pathspec.items) await check(item);
    };
    if (input.length > 0) await checkAll(input);
    if (flags.stdin) {
      const lines = context.stdin.lines(flags.nul ? "\0" : "\n");
      for await (const line of lines) await checkAll([flags.nul ? line : unquotedLine(line)]);
    }
    return found > 0 ? 0 : 1;
  },
});

/** True for a file of that name, or a directory of that name with staged files. */
function isStaged(table: Parameters<typeof lowerBoundPath>[0], path: string): boolean {
  if (table.paths[lowerBoundPath(table, path)] === path) return true;
  return table.paths[lowerBoundPath(table, `${path}/`)]?.startsWith(`${path}/`) ?? false;
}
