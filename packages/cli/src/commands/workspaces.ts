/** `wsx workspaces`: lists, creates and deletes workspaces. */
import type { CreateBody, WorkspaceInfo, WorkspacesResponse } from "@workspace/worker/api";
import { type CommandContext, defineCommand } from "../command.ts";
import { parseWorkspace } from "../config/settings.ts";
import { UsageError } from "../flags/usage-error.ts";
import { columns } from "../format/columns.ts";
import { print } from "../format/print.ts";
import { timeText } from "../format/sizes.ts";

export const workspaces = defineCommand({
  name: "workspaces",
  summary: "List, create or delete workspaces",
  flags: {
    create: { long: "--create", value: "string", arg: "<name>", help: "Create a workspace" },
    git: { long: "--git", value: "string", arg: "<url>", help: "With --create: clone this repository into it" },
    branch: { long: "--branch", short: "-b", value: "string", arg: "<name>", help: "With --git: this branch" },
    depth: { long: "--depth", value: "number", arg: "<n>", help: "With --git: only the last <n> commits" },
    delete: { long: "--delete", value: "string", arg: "<name>", help: "Delete a workspace with all its content" },
    yes: { long: "--yes", short: "-y", value: "none", help: "With --delete: confirm it (required)" },
  },
  operands: [],
  examples: [
    "wsx workspaces",
    "wsx workspaces --create site --git https://example.com/site.git",
    "wsx workspaces --delete site --yes",
  ],
  async run(context, { flags }) {
    if (flags.create !== undefined && flags.delete !== undefined)
      throw new UsageError("--create and --delete exclude each other");
    if (flags.create === undefined && (flags.git ?? flags.branch ?? flags.depth) !== undefined)
      throw new UsageError("--git, --branch and --depth go with --create");
    if (flags.delete !== undefined) return remove(context, parseWorkspace(flags.delete), flags.yes === true);
    if (flags.create === undefined) return list(context);
    const { git, branch, depth } = flags;
    if (git === undefined && (branch ?? depth) !== undefined)
      throw new UsageError("--branch and --depth go with --git");
    const body: CreateBody = {
      name: parseWorkspace(flags.create),
      ...(git === undefined ? {} : { from: { git, branch, depth } }),
    };
    const created = await context.api.json<WorkspaceInfo>("/api/workspaces", { method: "POST", json: body });
    await print(context, created, () => `${created.name}\n`);
    return 0;
  },
});

async function list(context: CommandContext): Promise<number> {
  const found: WorkspaceInfo[] = [];
  let cursor: string | undefined;
  do {
    const page: WorkspacesResponse = await context.api.json("/api/workspaces", { query: { cursor } });
    found.push(...page.workspaces);
    cursor = page.cursor;
  } while (cursor !== undefined);
  await print(context, found, () =>
    columns(found.map(({ name, createdAt, from }) => [name, timeText(createdAt), from?.git ?? ""])),
  );
  return 0;
}

/** This cannot be undone. */
async function remove(context: CommandContext, name: string, sure: boolean): Promise<number> {
  if (!sure) throw new UsageError(`this removes ${name} with its files and its history: add --yes`);
  await context.api.sendDiscardingBody(`/api/w/${name}`, { method: "DELETE", query: { confirm: name } });
  await print(context, { removed: name }, () => "");
  return 0;
}
