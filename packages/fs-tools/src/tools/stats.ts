/** `stats` and `changes`: the size of a directory, and its recent changes. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { optionalPath } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { isOnlyProposed, isShown, queuedFiles } from "../files/entries.ts";
import { isoTime } from "../format/human.ts";
import { ESCAPED, PageBuilder } from "../format/page.ts";
import { lookInto } from "../paths/look.ts";

const annotations = { readOnly: true, destructive: false, idempotent: true } as const;

const statsSchema = z.strictObject({ path: optionalPath });

export const statsTool = defineTool({
  name: "stats",
  group: "filesystem",
  description: "Count files and directories under a path, and sum their sizes.",
  annotations,
  schema: statsSchema,
  available: (host) => host.workspace !== undefined,
  handler: stats,
});

async function stats({ path: given = "." }: z.output<typeof statsSchema>, ctx: ToolContext): Promise<ToolOutput> {
  const path = await lookInto(ctx, given);
  if (!ctx.paths.rules.hasDenials && ctx.files.queued.size === 0) {
    const { files, directories, symlinks, bytes } = await ctx.workspace.fs.du(path);
    // The directory itself does not count.
    return answer({ path, files, directories: Math.max(directories - 1, 0), symlinks, bytes });
  }
  const sum = { files: 0, directories: 0, symlinks: 0, bytes: 0 };
  const found = await ctx.workspace.fs.find(path, { minDepth: 1 }).catch((error: unknown) => {
    if (isOnlyProposed(ctx, error)) return [];
    throw error;
  });
  for (const { path: at, type, size } of found) {
    if (!isShown(ctx, at)) continue;
    if (type === "dir") sum.directories++;
    else if (type === "symlink") sum.symlinks++;
    else {
      sum.files++;
      sum.bytes += size;
    }
  }
  for (const { size } of queuedFiles(ctx, path)) {
    sum.files++;
    sum.bytes += size;
  }
  return answer({ path, ...sum });
}

const changesSchema = z.strictObject({
  since: z.string().optional().describe("The cursor of an earlier answer; without it from the beginning"),
  path: optionalPath,
  limit: z.number().int().min(1).max(1000).optional(),
});

export const changesTool = defineTool({
  name: "changes",
  group: "filesystem",
  description: "What was created, written, moved or removed since a cursor, and by whom.",
  annotations,
  schema: changesSchema,
  available: (host) => host.workspace !== undefined,
  handler: changes,
});

/** Upper bound of a change's JSON bytes besides its texts: field names, operation, type, time. */
const OTHER_FIELDS = 200;

async function changes(
  { since, path: given = ".", limit = 200 }: z.output<typeof changesSchema>,
  ctx: ToolContext,
): Promise<ToolOutput> {
  const path = await ctx.paths.toRead(given);
  const requested = { path, limit, ...(since === undefined ? {} : { since }) };
  const found = await ctx.workspace.fs.changes(requested).catch((error: unknown) => {
    const { code } = error as { code?: unknown };
    if (since === undefined || (code !== "EINVAL" && code !== "EGONE")) throw error;
    const reason = code === "EGONE" ? "goes back further than the log" : "is not a cursor of an earlier answer";
    const message = `since ${reason}. Leave it out to start from the beginning, and look at the files themselves.`;
    throw new ToolError(code === "EGONE" ? "EGONE" : "INVALID_INPUT", message, { field: "since" });
  });
  const page = new PageBuilder<Record<string, unknown>>(limit, ctx.limits.answerBytes);
  let cut = false;
  for (const { op, type, path: at, from, timeMs, actor, callId, cursor } of found.changes) {
    if (ctx.paths.isDenied(at) || (from !== undefined && ctx.paths.isDenied(from))) continue;
    const [kind, time] = [type === "dir" ? "directory" : type, isoTime(timeMs)];
    const entry =
      from === undefined
        ? { op, type: kind, path: at, time, actor, callId }
        : { op, type: kind, path: at, from, time, actor, callId };
    const texts = at.length + (from?.length ?? 0) + (actor?.length ?? 0) + (callId?.length ?? 0);
    if (!page.add(entry, cursor, texts * ESCAPED + OTHER_FIELDS)) {
      cut = true;
      break;
    }
  }
  const { items, cursor } = page.page();
  return answer({ path, changes: items, cursor: cut ? cursor : found.cursor, more: cut || found.more });
}
