/** `tree`: a directory as an indented tree; directories end in a slash, files show their size. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { cursorField, formatField, optionalPath } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { cursorBelow } from "../files/cursor.ts";
import { walkEntries } from "../files/entries.ts";
import { humanSize, oneLine } from "../format/human.ts";
import { maxJsonBytes, PageBuilder } from "../format/page.ts";
import { lookInto } from "../paths/look.ts";

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

function tree(input: z.output<typeof schema>, ctx: ToolContext): ToolOutput | Promise<ToolOutput> {
  const path = lookInto(ctx, input.path ?? ".");
  return typeof path === "string" ? readTree(path, input, ctx) : path.then((found) => readTree(found, input, ctx));
}

function readTree(
  path: string,
  { depth, cursor, format }: z.output<typeof schema>,
  ctx: ToolContext,
): ToolOutput | Promise<ToolOutput> {
  const levels = Math.min(Math.max(depth ?? ctx.limits.treeDepth, 1), ctx.limits.treeMaxDepth);
  const page = new PageBuilder<string>(ctx.limits.entries, ctx.limits.answerBytes);
  let [files, directories] = [0, 0];
  // The end of the page, in two parts: joining them for every entry would cost a tenth of the run time.
  let [lastPrefix, lastName] = ["", ""];
  const visited = walkEntries(ctx, path, levels, cursorBelow(cursor), (entry) => {
    const { name, type } = entry;
    const mark = type === "dir" ? "/" : type === "symlink" ? "@" : ` (${humanSize(entry.size)})`;
    const line = indent(entry.depth - 1) + oneLine(name) + mark;
    if (!page.add(line, undefined, maxJsonBytes(line))) return false;
    lastPrefix = entry.prefix;
    lastName = name;
    if (type === "dir") directories++;
    else files++;
    return true;
  });
  const finish = () => {
    const { items, ...rest } = page.page(lastPrefix + lastName);
    const text = items.join("\n");
    const more = rest.cursor === undefined ? "" : `\n[more: cursor ${JSON.stringify(rest.cursor)}]`;
    return answer(
      { path, depth: levels, tree: text, files, directories, ...rest },
      format === "text" ? text + more : undefined,
    );
  };
  return visited === undefined ? finish() : visited.then(finish);
}

const INDENTS = ["", "  ", "    ", "      ", "        "];

function indent(level: number): string {
  return INDENTS[level] ?? "  ".repeat(level);
}
