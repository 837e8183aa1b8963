/** `apply_patch`: a unified diff or a `*** Begin Patch` block over any number of files, applied as a whole or not at all. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import type { PendingWrite } from "../files/commit-writes.ts";
import { byteLength } from "../format/cut-text.ts";
import { lookToWrite } from "../paths/look.ts";
import type { FileStat } from "../store/file-store.ts";
import { isBeginPatch, planBeginPatch } from "./patch/begin-patch.ts";
import type { PatchedFile, ReadForPatch } from "./patch/patch-plan.ts";
import { planUnifiedPatch } from "./patch/unified-patch.ts";

const schema = z.strictObject({
  patch: z.string().min(1).describe("Unified diff, or *** Begin Patch"),
  path: z.string().min(1).optional().describe("The file, when patch is bare hunks"),
});

export const applyPatchTool = defineTool({
  name: "apply_patch",
  group: "filesystem",
  description:
    "Apply a patch to one or several files, all or nothing: a unified diff, a *** Begin Patch block, or bare hunks with path.",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  schema,
  available: (host) => host.store !== undefined || host.workspace !== undefined,
  handler: ({ patch, path }, ctx) =>
    applyPatch(ctx, patch, (read) =>
      isBeginPatch(patch)
        ? planBeginPatch(patch, read, ctx.limits.patchFiles)
        : path !== undefined && isUnnumbered(path, patch)
          ? planBeginPatch(beginPatchOf(path, patch), read, ctx.limits.patchFiles)
          : planUnifiedPatch(patch, path, read, ctx.limits.patchFiles),
    ),
});

/** Hunks of one file without line numbers, as in a `*** Begin Patch` block. */
function isUnnumbered(path: string, patch: string): boolean {
  return /^\s*@@(?! -\d)/.test(patch) && !/^\*\*\* /m.test(patch) && !path.includes("\n");
}

function beginPatchOf(path: string, hunks: string): string {
  let end = hunks.length;
  while (end > 0 && hunks[end - 1] === "\n") end--;
  return `*** Begin Patch\n*** Update File: ${path}\n${hunks.slice(0, end)}\n*** End Patch`;
}

async function applyPatch(
  ctx: ToolContext,
  patch: string,
  plan: (read: ReadForPatch) => Promise<PatchedFile[]>,
): Promise<ToolOutput> {
  const { patchBytes } = ctx.limits;
  if (patch.length * 3 > patchBytes && byteLength(patch) > patchBytes)
    throw new ToolError("TOO_LARGE", `A patch has at most ${patchBytes} bytes; apply it in parts.`);
  const stats = new Map<string, FileStat | null>();
  const contents = new Map<string, Uint8Array | null>();
  const files = await plan(async (name) => {
    const { path, stat } = await lookToWrite(ctx, name);
    if (stat?.type === "dir") throw new ToolError("EISDIR", `${path} is a directory. Nothing was changed.`);
    if (stat !== null && stat.size > ctx.limits.editBytes)
      throw new ToolError(
        "TOO_LARGE",
        `${path} has ${stat.size} bytes; at most ${ctx.limits.editBytes} can be patched. Nothing was changed.`,
      );
    stats.set(path, stat);
    const bytes = stat === null ? null : await ctx.files.read(path);
    contents.set(path, bytes);
    return bytes === null || stat === null ? null : { bytes, mode: stat.mode };
  });
  const puts = putsOf(ctx, files);
  for (const { path, bytes } of puts) {
    // A path that the plan did not read has not been checked yet.
    if (!stats.has(path)) stats.set(path, (await lookToWrite(ctx, path)).stat);
    await ctx.files.requireNotStale(path, stats.get(path) ?? null, contents.get(path) ?? undefined);
    if (bytes !== null && bytes.length > ctx.limits.editBytes)
      throw new ToolError(
        "TOO_LARGE",
        `${path} would have ${bytes.length} bytes; at most ${ctx.limits.editBytes} are allowed. Nothing was changed.`,
      );
  }
  const versions = await ctx.files.commit(puts, stats);
  const shown = files.slice(0, 200).map(({ path, op, from, added, removed }) => {
    const at = ctx.paths.absolute(path);
    return {
      path: at,
      op,
      ...(from === undefined ? {} : { from: ctx.paths.absolute(from) }),
      added,
      removed,
      version: versions.get(at)?.version,
    };
  });
  return answer({
    patched: true,
    path: shown[0]?.path,
    files: shown,
    ...(ctx.files.proposing ? { proposed: true } : {}),
  });
}

function putsOf(ctx: ToolContext, files: readonly PatchedFile[]): PendingWrite[] {
  const puts = new Map<string, PendingWrite>();
  for (const { path, op, from, bytes, mode } of files) {
    const at = ctx.paths.absolute(path);
    if (puts.has(at)) throw twice(path);
    puts.set(at, { path: at, bytes, ...(mode === undefined ? {} : { mode: mode & 0o7777 }) });
    if (op !== "move" || from === undefined) continue;
    const left = ctx.paths.absolute(from);
    if (puts.has(left)) throw twice(from);
    puts.set(left, { path: left, bytes: null });
  }
  return [...puts.values()];
}

function twice(path: string): ToolError {
  return new ToolError("PATCH_FAILED", `${path} appears in the patch twice; join its hunks. Nothing was changed.`);
}
