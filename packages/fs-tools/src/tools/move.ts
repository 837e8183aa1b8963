/** `move`, `copy` and `delete`: one path each; nothing is overwritten unless requested. */

import { isInside } from "@workspace/glob";
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { pathField } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import type { ToolWorkspace } from "../definition/tool-workspace.ts";
import { ToolError } from "../errors.ts";
import { type Entry, toEntry } from "../files/entries.ts";
import { type LookedAt, lookAt, lookToReplace } from "../paths/look.ts";
import { dirname } from "../paths/path-resolver.ts";
import type { FileStat } from "../store/file-store.ts";
import { fileStatOf } from "../store/workspace-file-store.ts";

const pairSchema = z.strictObject({
  from: pathField,
  to: pathField,
  overwrite: z.boolean().optional().describe("Replace a file that is there"),
});
type MovePair = z.output<typeof pairSchema>;
const changing = { readOnly: false, destructive: true, idempotent: false } as const;

export const moveTool = defineTool({
  name: "move",
  group: "filesystem",
  description: "Move or rename a file or directory.",
  annotations: changing,
  schema: pairSchema,
  available: (host) => host.workspace !== undefined,
  handler: (input, ctx) => transfer(input, ctx, "move"),
});

export const copyTool = defineTool({
  name: "copy",
  group: "filesystem",
  description: "Copy a file, or a directory with everything in it.",
  annotations: changing,
  schema: pairSchema,
  available: (host) => host.workspace !== undefined,
  handler: (input, ctx) => transfer(input, ctx, "copy"),
});

const deleteSchema = z.strictObject({
  path: pathField,
  recursive: z.boolean().optional().describe("A directory with what is in it"),
});

export const deleteTool = defineTool({
  name: "delete",
  group: "filesystem",
  description: "Delete a file, or with recursive a directory. undo brings it back.",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  schema: deleteSchema,
  available: (host) => host.workspace !== undefined,
  handler: remove,
});

async function transfer(
  { from: givenFrom, to: givenTo, overwrite = false }: MovePair,
  ctx: ToolContext,
  verb: "move" | "copy",
): Promise<ToolOutput> {
  const source = await lookAt(ctx, givenFrom, verb === "move");
  const place = await lookToReplace(ctx, givenTo);
  const [from, to] = [source.path, place.path];
  const entry = required(ctx, source);
  if (from === ctx.paths.root)
    throw new ToolError("EBUSY", `${from} is the root of your files and cannot be moved or copied.`);
  if (isInside(to, from)) throw new ToolError("EINVAL", `${to} is ${from} itself, or inside it.`);
  // Otherwise a file that another actor changed would count as read under its new name.
  if (verb === "move" && entry.type === "file") await ctx.files.requireNotStale(from, await entryStat(ctx, source));
  const target = toEntry(ctx, to, place.stat);
  if (target !== null) await requireReplaceable(ctx, to, target, overwrite);
  if (ctx.files.proposing) return propose(ctx, from, to, entry, verb);
  const { fs } = ctx.workspace;
  if (!place.hasDirectory) await makeDirectory(fs, dirname(to));
  // Moves and replaces exactly the versions that were checked: over a binding, others may change them in between.
  const versions = {
    ...(entry.type === "file" && source.stat !== null ? { ifVersion: source.stat.version } : {}),
    ifTargetVersion: place.stat?.version ?? null,
  };
  const copying = { recursive: true, force: overwrite, errorOnExist: !overwrite, verbatimSymlinks: true, ...versions };
  await (verb === "move" ? fs.rename(from, to, versions) : fs.cp(from, to, copying)).catch((error: unknown) => {
    const { code } = error as { code?: unknown };
    if (code !== "ESTALE" && code !== "ERR_FS_CP_EEXIST") throw error;
    throw new ToolError(
      "STALE",
      `Another actor changed ${from} or ${to} during this call; nothing was done. Look again.`,
    );
  });
  if (verb === "move") await ctx.files.forgetRead(from);
  await rememberTarget(ctx, to);
  return answer({ ok: true, from, to, type: entry.type, overwritten: target !== null });
}

async function makeDirectory(fs: ToolWorkspace["fs"], directory: string): Promise<void> {
  try {
    await fs.mkdir(directory, { recursive: true });
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code !== "ENOTDIR" && code !== "EEXIST") throw error;
    throw new ToolError("ENOTDIR", `A part of the way to ${directory} is a file; nothing was changed.`);
  }
}

/** An actor knows the content that it puts somewhere. */
async function rememberTarget(ctx: ToolContext, to: string): Promise<void> {
  const stat = await ctx.files.stat(to);
  if (stat?.type === "file") await ctx.files.recordRead(to, await ctx.files.versionsOf(to, stat));
}

async function requireReplaceable(ctx: ToolContext, to: string, target: Entry, overwrite: boolean): Promise<void> {
  if (target.type === "directory")
    throw new ToolError("EEXIST", `${to} is a directory that exists; name the new path in full.`);
  if (!overwrite) throw new ToolError("EEXIST", `${to} exists; nothing was changed. Pass overwrite to replace it.`);
  await ctx.files.requireNotStale(to, await ctx.files.stat(to));
}

async function propose(
  ctx: ToolContext,
  from: string,
  to: string,
  entry: Entry,
  verb: "move" | "copy",
): Promise<ToolOutput> {
  if (entry.type !== "file")
    throw new ToolError("UNAVAILABLE", `Only files can be proposed; ${verb} what is in ${from} file by file.`);
  if (entry.size > ctx.limits.writeBytes)
    throw new ToolError("TOO_LARGE", `A proposal holds at most ${ctx.limits.writeBytes} bytes.`);
  const bytes = (await ctx.files.read(from)) ?? new Uint8Array(0);
  const stat = await ctx.files.stat(from);
  const bases = new Map<string, FileStat | null>([
    [from, stat],
    [to, await ctx.files.stat(to)],
  ]);
  const mode = stat === null ? {} : { mode: stat.mode };
  const puts = [{ path: to, bytes, ...mode }, ...(verb === "move" ? [{ path: from, bytes: null }] : [])];
  await ctx.files.commit(puts, bases);
  return answer({ ok: true, from, to, type: entry.type, proposed: true });
}

async function remove(
  { path: given, recursive = false }: z.output<typeof deleteSchema>,
  ctx: ToolContext,
): Promise<ToolOutput> {
  const looked = await lookAt(ctx, given, true);
  const { path } = looked;
  if (path === ctx.paths.root) throw new ToolError("EBUSY", `${path} is the root of your files and cannot be deleted.`);
  const entry = required(ctx, looked);
  if (entry.type === "directory" && !recursive)
    throw new ToolError(
      "EISDIR",
      `${path} is a directory; nothing was deleted. Pass recursive to delete it with what is in it.`,
    );
  if (entry.type === "file") {
    const stat = await entryStat(ctx, looked);
    await ctx.files.requireNotStale(path, stat);
    await ctx.files.commit([{ path, bytes: null }], new Map([[path, stat]]));
    return answer({ ok: true, deleted: path, type: entry.type, ...(ctx.files.proposing ? { proposed: true } : {}) });
  }
  if (ctx.files.proposing)
    throw new ToolError("UNAVAILABLE", `Only files can be proposed; delete what is in ${path} file by file.`);
  await ctx.workspace.fs.rm(path, { recursive });
  return answer({ ok: true, deleted: path, type: entry.type });
}

/** For a file: a proposal may take precedence over it. */
function entryStat(ctx: ToolContext, { path, stat }: LookedAt): FileStat | null | Promise<FileStat | null> {
  return stat?.type === "file" && !ctx.files.proposing ? fileStatOf(stat) : ctx.files.stat(path);
}

function required(ctx: ToolContext, { path, stat }: LookedAt): Entry {
  const entry = toEntry(ctx, path, stat);
  if (entry === null) throw new ToolError("ENOENT", `There is nothing at ${path}. Use list or glob to find it.`);
  return entry;
}
