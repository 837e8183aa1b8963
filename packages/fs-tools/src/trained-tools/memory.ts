/** Anthropic's `memory`: files under `/memories`, stored in the directory `memories` of the tools' root. */
import * as z from "zod";
import type { ToolContext } from "../definition/tool-context.ts";
import type { ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { walkEntries } from "../files/entries.ts";
import { humanSize } from "../format/human.ts";
import { normalizePath } from "../paths/path-resolver.ts";
import { deleteTool, moveTool } from "../tools/move.ts";
import { editorCommands, editorFields, required, viewLines } from "./text-editor.ts";
import type { TrainedTool } from "./trained-tool.ts";

const TOP = "/memories";

const schema = z.strictObject({
  command: z.enum(["view", "create", "str_replace", "insert", "delete", "rename"]),
  ...editorFields,
  path: z.string().min(1).optional(),
  old_path: z.string().min(1).optional(),
  new_path: z.string().min(1).optional(),
});
type MemoryInput = z.output<typeof schema>;

export const memory: TrainedTool = {
  name: "memory",
  group: "filesystem",
  description: "Keep notes under /memories.",
  annotations: { readOnly: false, destructive: true, idempotent: false },
  needs: ["read", "write", "edit", "list", "delete", "move"],
  schema,
  handler: run,
};

async function run(input: MemoryInput, ctx: ToolContext): Promise<ToolOutput> {
  const { command } = input;
  if (command === "rename") {
    const [from, to] = [required(input.old_path, "old_path"), required(input.new_path, "new_path")];
    const { structured } = await moveTool.handler({ from: memoryPath(from, ctx), to: memoryPath(to, ctx) }, ctx);
    return { structured, text: `Successfully renamed ${from} to ${to}` };
  }
  const shown = required(input.path, "path");
  const path = memoryPath(shown, ctx);
  if (command !== "view" && command !== "delete" && normalizePath(shown) === TOP)
    throw new ToolError("EISDIR", `${TOP} is a directory; give the path of a file in it.`, { field: "path" });
  if (command === "view") return view(shown, path, input, ctx);
  if (command === "delete") {
    if (normalizePath(shown) === TOP) throw new ToolError("EBUSY", "The /memories directory itself cannot be deleted.");
    const { structured } = await deleteTool.handler({ path, recursive: true }, ctx);
    return { structured, text: `Successfully deleted ${shown}` };
  }
  const { command: _, old_path: __, new_path: ___, ...fields } = input;
  const { structured } = await editorCommands[command]({ ...fields, path }, ctx);
  const done = {
    create: `File created successfully at: ${shown}`,
    str_replace: "The memory file has been edited.",
    insert: `The file ${shown} has been edited.`,
  };
  return { structured, text: done[command] };
}

async function view(shown: string, path: string, { view_range }: MemoryInput, ctx: ToolContext): Promise<ToolOutput> {
  const stat = await ctx.files.stat(path);
  if (stat === null && normalizePath(shown) !== TOP)
    throw new ToolError("ENOENT", `The path ${shown} does not exist. View ${TOP} to see what is there.`);
  if (stat?.type === "dir" || (stat === null && normalizePath(shown) === TOP)) {
    const lines: string[] = [];
    let entries = 0;
    if (stat !== null) {
      const top = memoryPath(TOP, ctx).length;
      await walkEntries(ctx, path, 2, undefined, ({ name, prefix, type, size }) => {
        if (name.startsWith(".") || prefix.startsWith(".")) return true;
        if (++entries <= ctx.limits.entries)
          lines.push(`${type === "file" ? humanSize(size) : "-"}\t${TOP}${path.slice(top)}/${prefix}${name}`);
        return true;
      });
    }
    const text = [
      `Here're the files and directories up to 2 levels deep in ${shown}, excluding hidden items:`,
      `-\t${normalizePath(shown)}`,
      ...lines,
    ].join("\n");
    const cut = entries > lines.length ? `\n[${entries - lines.length} more: view a directory below.]` : "";
    return { structured: { path: shown, entries, truncated: cut !== "" }, text: text + cut };
  }
  const { structured, text } = await viewLines(path, view_range, ctx);
  return { structured, text: `Here's the content of ${shown} with line numbers:\n${text}` };
}

function memoryPath(path: string, ctx: ToolContext): string {
  const folded = normalizePath(path);
  if (!path.startsWith("/") || (folded !== TOP && !folded.startsWith(`${TOP}/`)))
    throw new ToolError("OUTSIDE_ROOT", `${JSON.stringify(path.slice(0, 200))} is not under ${TOP}.`, {
      field: "path",
    });
  return `${ctx.paths.root === "/" ? "" : ctx.paths.root}${folded}`;
}
