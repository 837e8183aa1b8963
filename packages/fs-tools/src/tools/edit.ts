/** `edit`: replacements in a text file. Preserves byte-order mark, line endings and mode; refuses files that are not UTF-8. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { pathField } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { finishInTurns, type Work } from "../definition/work.ts";
import { ToolError } from "../errors.ts";
import { cutText } from "../format/cut-text.ts";
import { type Looked, lookToWrite } from "../paths/look.ts";
import type { FileStat } from "../store/file-store.ts";
import { type EditResult, editing, replaceExact } from "./edit/apply-edits.ts";
import { generateUnifiedPatch } from "./edit/diff-string.ts";
import { stripBom } from "./edit/line-endings.ts";

const schema = z.strictObject({
  path: pathField,
  edits: z
    .array(z.strictObject({ oldText: z.string(), newText: z.string() }))
    .optional()
    .describe("All against the original file; no overlaps"),
  oldString: z.string().optional(),
  newString: z.string().optional(),
  replaceAll: z.boolean().optional(),
});
type EditInput = z.output<typeof schema>;

export const editTool = defineTool({
  name: "edit",
  group: "filesystem",
  description:
    "Replace parts of a text file: edits, or exact oldString and newString. Each old text must match one place. Returns the diff.",
  guidance: "copy oldText from read, with enough lines to be unique.",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  schema,
  available: (host) => host.store !== undefined || host.workspace !== undefined,
  handler: edit,
});

async function edit(input: EditInput, ctx: ToolContext): Promise<ToolOutput> {
  const looked = await lookToWrite(ctx, input.path);
  const { path } = looked;
  const { stat, bytes, text } = await readText(ctx, looked);
  await ctx.files.requireNotStale(path, stat, bytes);
  const { bom, text: body } = stripBom(text);
  const result = await finishInTurns(apply(bom === "" ? input : withoutMarks(input), body, path, ctx), ctx.signal);
  const next = encoder.encode(bom + result.text);
  if (next.length > ctx.limits.editBytes)
    throw new ToolError(
      "TOO_LARGE",
      `${path} would have ${next.length} bytes; edit works on files of at most ${ctx.limits.editBytes}.`,
    );
  const versions = await ctx.files.commit([{ path, bytes: next, mode: stat.mode }], new Map([[path, stat]]));
  return answer({
    ok: true,
    path,
    edits: result.applied.slice(0, 100),
    replaced: result.applied.length,
    diff: cutText(generateUnifiedPatch(path, body, result.text), ctx.limits.diffBytes),
    size: next.length,
    version: versions.get(path)?.version,
    ...(ctx.files.proposing ? { proposed: true } : {}),
  });
}

/** The file keeps its byte-order mark, so both texts lose theirs: a caller that saw the bytes may have sent it. */
function withoutMarks(input: EditInput): EditInput {
  const bare = (text: string) => stripBom(text).text;
  return {
    ...input,
    ...(input.oldString === undefined ? {} : { oldString: bare(input.oldString) }),
    ...(input.newString === undefined ? {} : { newString: bare(input.newString) }),
    ...(input.edits === undefined
      ? {}
      : { edits: input.edits.map(({ oldText, newText }) => ({ oldText: bare(oldText), newText: bare(newText) })) }),
  };
}

function apply(
  { edits, oldString, newString, replaceAll = false }: EditInput,
  text: string,
  path: string,
  ctx: ToolContext,
): Work<EditResult> {
  const options = { path, disabledStrategies: ctx.host.disabledMatchStrategies, maxLength: ctx.limits.editBytes };
  const exact = oldString !== undefined || newString !== undefined;
  if (exact && edits !== undefined)
    throw new ToolError("INVALID_INPUT", "Give edits, or oldString and newString, not both.", { field: "edits" });
  if (!exact) {
    if (edits === undefined)
      throw new ToolError("INVALID_INPUT", "Give edits, or oldString and newString.", { field: "edits" });
    if (replaceAll)
      throw new ToolError("INVALID_INPUT", "replaceAll goes with oldString and newString, not with edits.", {
        field: "replaceAll",
      });
    return editing(text, edits, options);
  }
  if (oldString === undefined || newString === undefined)
    throw new ToolError("INVALID_INPUT", "oldString and newString belong together.", {
      field: oldString === undefined ? "oldString" : "newString",
    });
  return replaceExact(text, { oldText: oldString, newText: newString }, replaceAll, options);
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** An editable file: existing, small enough, and entirely UTF-8. */
export async function readText(
  ctx: ToolContext,
  { path, stat }: Looked,
): Promise<{ stat: FileStat; bytes: Uint8Array; text: string }> {
  if (stat === null) {
    await ctx.files.requireNotStale(path, null);
    throw new ToolError("ENOENT", `There is no file ${path}. Use write to create it.`);
  }
  if (stat.type === "dir") throw new ToolError("EISDIR", `${path} is a directory.`);
  if (stat.size > ctx.limits.editBytes)
    throw new ToolError(
      "TOO_LARGE",
      `${path} has ${stat.size} bytes; at most ${ctx.limits.editBytes} can be edited here. Use exec (sed, a script).`,
    );
  const bytes = (await ctx.files.read(path)) ?? new Uint8Array(0);
  // UTF-16 without a mark is valid UTF-8, with a NUL in every character: text inserted into it would be read as something else.
  if (bytes.subarray(0, ctx.limits.sniffBytes).includes(0))
    throw new ToolError(
      "ENCODING",
      `${path} holds NUL bytes: it is binary, or UTF-16, and would be damaged by an edit; nothing was changed. Convert it with exec (iconv -f UTF-16 -t UTF-8).`,
    );
  try {
    return { stat, bytes, text: strict.decode(bytes) };
  } catch {
    throw new ToolError(
      "ENCODING",
      `${path} is not UTF-8, and would be damaged by an edit; nothing was changed. Convert it with exec (iconv), or use a program that knows its encoding.`,
    );
  }
}
