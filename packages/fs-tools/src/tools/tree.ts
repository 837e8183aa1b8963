/** `tree`: a directory as an indented tree; directories end in a slash, files show their size. */
import { z } from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { cursorField, formatField, optionalPath } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { cursorBelow } from "../files/cursor.ts";
import { walk } from "../files/entries.ts";
import { lookInto } from "../files/look.ts";
import { humanSize, oneLine } from "../text/human.ts";
import { PageBuilder } from "../text/page.ts";

const schema = z.strictObject({
  path: optionalPath,
  depth: z.number().int().optional().describe("Levels, 1 to 5; default 2"),
  cursor: cursorField,
  format: formatField,
});

export const treeTool = defineTool({
  name: "tree",
  group: "filesystem",
  description: "Show a directory as an indented tree; directories end with /.",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  schema,
  available: (host) => host.workspace !== undefined,
  handler: tree,
});

async function tree(
  { path: given = ".", depth, cursor, format }: z.output<typeof schema>,
  ctx: ToolContext,
): Promise<ToolOutput> {
  const path = await lookInto(ctx, given);
  const levels = Math.min(Math.max(depth ?? ctx.limits.treeDepth, 1), ctx.limits.treeMaxDepth);
  const page = new PageBuilder<string>(ctx.limits.entries, ctx.limits.answerBytes);
  let [files, directories] = [0, 0];
  walking: for await (const run of walk(ctx, path, levels, cursorBelow(cursor))) {
    for (const { relative, name, type, size, depth: level } of run) {
      const mark = type === "dir" ? "/" : type === "symlink" ? "@" : ` (${humanSize(size)})`;
      if (!page.add(indent(level - 1) + oneLine(name) + mark, relative)) break walking;
      if (type === "dir") directories++;
      else files++;
    }
  }
  const { items, ...rest } = page.page();
  const text = items.join("\n");
  const more = rest.cursor === undefined ? "" : `\n[more: cursor ${JSON.stringify(rest.cursor)}]`;
  return answer(
    { path, depth: levels, tree: text, files, directories, ...rest },
    format === "text" ? text + more : undefined,
  );
}

const INDENTS = ["", "  ", "    ", "      ", "        "];

function indent(level: number): string {
  return INDENTS[level] ?? "  ".repeat(level);
}
