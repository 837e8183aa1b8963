/** `git`: git by argv, as on a command line, without a shell. */
import { z } from "zod";
import { defineTool } from "../definition/define-tool.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import type { ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { withoutDeniedNames, withoutNamesInErrors } from "../exec/git-names.ts";
import { checkGit, GIT_COMMANDS, gitCommand, gitIsReadOnly, valuesOf, withoutDeniedFiles } from "../exec/git-policy.ts";
import { requireReach } from "../exec/git-reach.ts";
import { headAndTail } from "../text/cut-text.ts";

const schema = z.strictObject({
  argv: z.array(z.string()).min(1).describe('Such as ["log", "--oneline", "-n", "5"]'),
  cwd: z.string().min(1).optional(),
});

export const gitTool = defineTool({
  name: "git",
  group: "git",
  description: "Run git with these arguments (without the word git).",
  annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true, untrusted: true },
  schema,
  available: ({ workspace }) => workspace?.git !== undefined && workspace.parts?.git !== false,
  handler: git,
});

async function git({ argv: given, cwd: givenCwd }: z.output<typeof schema>, ctx: ToolContext): Promise<ToolOutput> {
  const argv = given[0] === "git" ? given.slice(1) : given;
  const cwd = await ctx.paths.toRead(givenCwd ?? ".");
  checkGit(argv, cwd, ctx.paths);
  const limited = ctx.files.proposing
    ? "Writes are proposals here"
    : ctx.host.writable !== undefined
      ? "Only some files may be changed here"
      : null;
  if (limited !== null && !gitIsReadOnly(argv))
    throw new ToolError(
      "COMMAND_REFUSED",
      `${limited}, so only git commands that read are available, not ${gitCommand(argv) || "this"}.`,
    );
  await refuseAlias(ctx, argv, cwd);
  await requireReach(ctx, argv, cwd);
  const shown = ctx.paths.rules.hasDenials ? await objectsNamed(ctx, argv, cwd) : "other";
  const cli = ctx.workspace.git?.cli;
  if (cli === undefined) throw new ToolError("UNAVAILABLE", "This workspace has no git.");
  const { exitCode, stdout, stderr } = await ctx.workspace.git!.cli({ argv, cwd });
  const decoder = new TextDecoder();
  const [printed, said] = allowed(ctx, { argv, cwd, shown }, decoder.decode(stdout), decoder.decode(stderr));
  const out = headAndTail(printed, ctx.limits.gitBytes);
  const err = headAndTail(said, ctx.limits.gitBytes);
  const structured = { exitCode, stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
  return { structured, ...(exitCode === 0 ? {} : { isError: true as const }) };
}

/** What an alias stands for was not looked at; git does not let one hide a command of its own. */
async function refuseAlias(ctx: ToolContext, argv: readonly string[], cwd: string): Promise<void> {
  const command = gitCommand(argv);
  if (GIT_COMMANDS.has(command) || command === "") return;
  const { exitCode } = await ctx.workspace.git!.cli({ argv: ["config", "--get", `alias.${command}`], cwd });
  if (exitCode === 0)
    throw new ToolError("COMMAND_REFUSED", `${command} is an alias; give the command that it stands for.`, {
      field: "argv",
    });
}

/** What git printed and said, as far as it is about files that this actor may see. */
function allowed(
  ctx: ToolContext,
  { argv, cwd, shown }: { argv: readonly string[]; cwd: string; shown: "files" | "other" },
  stdout: string,
  stderr: string,
): [string, string] {
  const { paths } = ctx;
  if (!paths.rules.hasDenials) return [stdout, stderr];
  const command = gitCommand(argv);
  const errors = withoutNamesInErrors(stderr, { command, cwd, paths });
  // Files that were asked for by name, and may be seen: every line is theirs.
  if (shown === "files") return [stdout, errors];
  if (stdout.includes("\0"))
    throw new ToolError(
      "COMMAND_REFUSED",
      `git ${command} with NUL in what it prints is not available here, since some files are off limits. Leave -z out.`,
      { field: "argv" },
    );
  return [withoutDeniedNames(withoutDeniedFiles(stdout, cwd, paths), { command, cwd, paths }), errors];
}

/**
 * `git show <blob>` and `git diff <blob> <blob>` print files without naming them, and a tag may stand for one; what is in `HEAD:directory`
 * is named, and checked out, as if it were elsewhere.
 */
async function objectsNamed(ctx: ToolContext, argv: readonly string[], cwd: string): Promise<"files" | "other"> {
  const command = gitCommand(argv);
  const types = new Set<string>();
  const words = argv.slice(argv.indexOf(command) + 1).flatMap(valuesOf);
  for (const word of words.flatMap((one) => one.split(/\.{2,3}/))) {
    if (word === "" || word.startsWith("-")) continue;
    // After a colon stands a path, which would take in what asks for the tagged object.
    const type = await typeOf(ctx, word.includes(":") ? word : `${word}^{}`, cwd);
    // What follows a colon was checked as a path.
    if (type === "blob" && !word.includes(":") && ["show", "diff"].includes(command))
      throw new ToolError(
        "COMMAND_REFUSED",
        `git ${command} of a bare object is not available here; name the file, as in HEAD:path.`,
      );
    if (type === "tree" && !(await isTop(ctx, word, cwd)))
      throw new ToolError(
        "COMMAND_REFUSED",
        `git ${command} of a directory by itself is not available here, since some files are off limits. Name the commit and the path apart, as in git ls-tree HEAD path/.`,
      );
    if (type !== "" && command === "show") types.add(type === "blob" ? "files" : "other");
  }
  if (types.size > 1)
    throw new ToolError("COMMAND_REFUSED", "Show files by themselves here, without commits and directories.");
  return types.has("files") ? "files" : "other";
}

/** All files of a commit, by the name of the commit. */
async function isTop(ctx: ToolContext, word: string, cwd: string): Promise<boolean> {
  const commit = /^([^:]+)(?::|\^\{tree\})$/.exec(word)?.[1];
  return commit !== undefined && (await typeOf(ctx, `${commit}^{commit}`, cwd)) === "commit";
}

/** "": there is no such object. */
async function typeOf(ctx: ToolContext, object: string, cwd: string): Promise<string> {
  const { stdout } = await ctx.workspace.git!.cli({ argv: ["cat-file", "-t", object], cwd });
  return new TextDecoder().decode(stdout).trim();
}
