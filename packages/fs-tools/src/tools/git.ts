/**
 * `git`: git by argv, as on a command line, without a shell. The engine uses a view of the workspace that enforces the host's
 * policy (`Workspace.restrict`), cannot run commands and reaches only the hosts that commands may reach. This file does not inspect
 * the argv.
 */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import type { ToolContext, ToolHost } from "../definition/tool-context.ts";
import type { ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { headAndTail } from "../format/cut-text.ts";

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
  available: (host) => hasGit(host) && unavailable(host) === undefined,
  unavailable,
  handler: git,
});

function hasGit({ workspace, views }: ToolHost): boolean {
  const given = views?.git ?? workspace;
  return given?.git !== undefined && given.features?.git !== false;
}

/** A workspace that cannot be restricted cannot enforce a policy for git. */
function unavailable({ workspace, deny, writable, mode }: ToolHost): string | undefined {
  if (deny.length > 0)
    return "git is not available here, since some files are off limits: its objects hold their contents, in every commit. Use the other tools.";
  const isLimited = writable !== undefined || mode === "propose";
  return isLimited && workspace?.restrict === undefined
    ? "git is not available here: not all files may be changed."
    : undefined;
}

async function git({ argv: given, cwd: givenCwd }: z.output<typeof schema>, ctx: ToolContext): Promise<ToolOutput> {
  const argv = given[0] === "git" ? given.slice(1) : given;
  const cwd = await ctx.paths.toRead(givenCwd ?? ".");
  const view = ctx.view("git");
  if (view.git === undefined) throw new ToolError("UNAVAILABLE", "This workspace has no git.");
  const { exitCode, stdout, stderr } = await view.git.cli({ argv, cwd });
  const decoder = new TextDecoder();
  const out = headAndTail(decoder.decode(stdout), ctx.limits.gitBytes);
  const err = headAndTail(decoder.decode(stderr), ctx.limits.gitBytes);
  const structured = { exitCode, stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated };
  return { structured, ...(exitCode === 0 ? {} : { isError: true as const }) };
}
