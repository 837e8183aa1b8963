/** Anthropic's `str_replace_based_edit_tool`: view, create, str_replace and insert, with the result texts its models expect. */
import * as z from "zod";
import type { ToolContext } from "../definition/tool-context.ts";
import type { ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { lookToWrite } from "../paths/look.ts";
import { stripBom } from "../tools/edit/line-endings.ts";
import { editTool, readText } from "../tools/edit.ts";
import { readTool } from "../tools/read.ts";
import { treeTool } from "../tools/tree.ts";
import { writeTool } from "../tools/write.ts";
import type { TrainedTool } from "./trained-tool.ts";

export const editorFields = {
  path: z.string().min(1),
  view_range: z.array(z.number().int()).length(2).optional(),
  file_text: z.string().optional(),
  old_str: z.string().optional(),
  new_str: z.string().optional(),
  insert_line: z.number().int().min(0).optional(),
  insert_text: z.string().optional(),
};

const schema = z.strictObject({ command: z.enum(["view", "create", "str_replace", "insert"]), ...editorFields });
export type EditorInput = Omit<z.output<typeof schema>, "command">;

export const textEditor: TrainedTool = {
  name: "str_replace_based_edit_tool",
  group: "filesystem",
  description: "View, create and edit files.",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  needs: ["read", "write", "edit"],
  schema,
  handler: ({ command, ...input }: z.output<typeof schema>, ctx: ToolContext) => editorCommands[command](input, ctx),
};

type Command = (input: EditorInput, ctx: ToolContext) => Promise<ToolOutput>;

export const editorCommands: Readonly<Record<"view" | "create" | "str_replace" | "insert", Command>> = {
  view: async ({ path, view_range }, ctx) => {
    const at = await ctx.paths.toRead(path);
    if ((await ctx.files.stat(at))?.type === "dir") {
      const { structured } = await treeTool.handler({ path: at, depth: 2 }, ctx);
      const cut = structured.truncated ? "\n[There is more: view a directory below.]" : "";
      return {
        structured,
        text: `Here're the files and directories up to 2 levels deep in ${at}:\n${structured.tree}${cut}`,
      };
    }
    const { structured, text, files } = await viewLines(at, view_range, ctx);
    const shown = `Here's the result of running \`cat -n\` on ${at}:\n${text}`;
    return { structured, text: shown, ...(files === undefined ? {} : { files }) };
  },
  create: async (input, ctx) => {
    const content = required(input.file_text, "file_text");
    const { structured } = await writeTool.handler({ path: input.path, content }, ctx);
    return { structured, text: `File created successfully at: ${structured.path}` };
  },
  str_replace: async (input, ctx) => {
    const edit = { path: input.path, oldString: required(input.old_str, "old_str"), newString: input.new_str ?? "" };
    const { structured } = await withTrainedFieldNames(editTool.handler(edit, ctx));
    const [{ line }] = structured.edits as [{ line: number }];
    return { structured, text: await snippet(ctx, structured.path as string, line, edit.newString) };
  },
  insert: async (input, ctx) => {
    const at = required(input.insert_line, "insert_line");
    const text = required(input.insert_text ?? input.new_str, "insert_text");
    const looked = await lookToWrite(ctx, input.path);
    const { path } = looked;
    const { stat, text: whole, bytes } = await readText(ctx, looked);
    await ctx.files.requireNotStale(path, stat, bytes);
    const { bom, text: before } = stripBom(whole);
    const ending = before.includes("\r\n") ? "\r\n" : "\n";
    const lines = before.split("\n");
    const count = before === "" ? 0 : before.endsWith("\n") ? lines.length - 1 : lines.length;
    if (at > count)
      throw new ToolError("OUT_OF_RANGE", `insert_line is ${at}, and ${path} has ${count} lines.`, {
        field: "insert_line",
      });
    const offset = lines.slice(0, at).reduce((sum, line) => sum + line.length + 1, 0);
    const body = text.replace(/\r?\n/g, ending);
    const head = before.slice(0, offset);
    const joined =
      head !== "" && !head.endsWith("\n") ? head + ending + body : head + body + (body.endsWith("\n") ? "" : ending);
    const { structured } = await writeTool.handler({ path, content: bom + joined + before.slice(offset) }, ctx);
    return { structured, text: await snippet(ctx, path, at + 1, text) };
  },
};

/** Numbered lines, and how to see the omitted ones. */
export async function viewLines(
  path: string,
  range: readonly number[] | undefined,
  ctx: ToolContext,
): Promise<ToolOutput & { text: string }> {
  const [first = 1, last = -1] = range ?? [];
  if (first < 1 || (last !== -1 && last < first))
    throw new ToolError(
      "INVALID_INPUT",
      `view_range is [${first}, ${last}]: give a first line from 1 and a last line after it, or -1 for the end.`,
      { field: "view_range" },
    );
  const window = range === undefined ? {} : { offset: first, ...(last < 0 ? {} : { limit: last - first + 1 }) };
  const output = await readTool.handler({ path, lineNumbers: true, ...window }, ctx);
  const { content = "", nextOffset, nextByteOffset, endLine } = output.structured as Record<string, unknown>;
  const isCut = nextByteOffset !== undefined || (nextOffset !== undefined && (last < 0 || (endLine as number) < last));
  if (!isCut) return { ...output, text: String(content) };
  const next =
    nextOffset === undefined
      ? `Line ${endLine} is longer than can be shown: use a command to see the rest of it.`
      : `There is more: view_range [${nextOffset}, ${last}].`;
  return { ...output, text: `${content}${String(content).endsWith("\n") ? "" : "\n"}[${next}]` };
}

/** Renames fields in errors: the model sent `old_str` and `new_str`, and has no `edits`. */
async function withTrainedFieldNames<T>(call: T | Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, details } = error;
    const reported = message
      .replace(/ Sent as edits: .*? it would match line (\d+) \(([\w-]+)\)\./, " It is line $1 but for $2.")
      .replace(", or pass replaceAll", "")
      .replace(/\boldString\b/g, "old_str")
      .replace(/\bnewString\b/g, "new_str");
    throw new ToolError(code, reported, details.field === "oldString" ? { ...details, field: "old_str" } : details);
  }
}

const AROUND = 4;

async function snippet(ctx: ToolContext, path: string, line: number, added: string): Promise<string> {
  const offset = Math.max(line - AROUND, 1);
  const limit = added.split("\n").length + 2 * AROUND;
  const read = Promise.resolve(readTool.handler({ path, offset, limit, lineNumbers: true }, ctx));
  const { structured } = await read.catch(() => ({ structured: { content: "" } }));
  return `The file ${path} has been edited. Here's the result of running \`cat -n\` on a snippet of ${path}:\n${structured.content}`;
}

export function required<T>(value: T | undefined, field: string): T {
  if (value === undefined)
    throw new ToolError("INVALID_INPUT", `The field ${field} is missing for this command.`, { field });
  return value;
}
