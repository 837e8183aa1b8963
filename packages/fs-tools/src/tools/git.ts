/** `git`: git by argv, as on a command line, without a shell. */
import { z } from "zod";
import { defineTool } from "../definition/define-tool.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import type { ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { checkGit, GIT_COMMANDS, gitCommand, gitIsReadOnly, withoutDeniedFiles } from "../exec/git-policy.ts";
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
  await refuseBlobs(ctx, argv, cwd);
  const cli = ctx.workspace.git?.cli;
  if (cli === undefined) throw new ToolError("UNAVAILABLE", "This workspace has no git.");
  const { exitCode, stdout, stderr } = await ctx.workspace.git!.cli({ argv, cwd });
  const decoder = new TextDecoder();
  const out = headAndTail(withoutDeniedFiles(decoder.decode(stdout), cwd, ctx.paths), ctx.limits.gitBytes);
  const err = headAndTail(decoder.decode(stderr), ctx.limits.gitBytes);
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

/** `git show <blob>` and `git diff <blob> <blob>` print files without naming them; a tag may stand for one. */
async function refuseBlobs(ctx: ToolContext, argv: readonly string[], cwd: string): Promise<void> {
  const command = gitCommand(argv);
  if (!ctx.paths.rules.hasDenials || !["show", "diff"].includes(command)) return;
  for (const word of argv.slice(argv.indexOf(command) + 1).flatMap((one) => one.split(".."))) {
    // What follows a colon was checked as a path.
    if (word === "" || word.startsWith("-") || word.includes(":")) continue;
    const { stdout } = await ctx.workspace.git!.cli({ argv: ["cat-file", "-t", `${word}^{}`], cwd });
    if (new TextDecoder().decode(stdout).trim() === "blob")
      throw new ToolError(
        "COMMAND_REFUSED",
        `git ${command} of a bare object is not available here; name the file, as in HEAD:path.`,
      );
  }
}
