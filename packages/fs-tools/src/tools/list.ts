/** `list`: a directory with sizes and times, optionally recursive. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { cursorField, formatField, optionalPath } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import type { ToolEntry } from "../definition/tool-workspace.ts";
import { cursorBelow } from "../files/cursor.ts";
import { entryType, matcher, walkEntries } from "../files/entries.ts";
import { humanSize, humanTime, isoTime, oneLine } from "../format/human.ts";
import { ESCAPED, PageBuilder } from "../format/page.ts";
import { lookInto } from "../paths/look.ts";

const schema = z.strictObject({
  path: optionalPath,
  recursive: z.boolean().optional(),
  pattern: z.string().min(1).optional().describe("Glob"),
  cursor: cursorField,
  format: formatField,
});

export const listTool = defineTool({
  name: "list",
  group: "filesystem",
  description: "List a directory: name, type, size, modified. recursive lists everything below.",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  schema,
  available: (host) => host.workspace !== undefined,
  handler: list,
});

const ANY_DEPTH = 1000;

function list(input: z.output<typeof schema>, ctx: ToolContext): ToolOutput | Promise<ToolOutput> {
  const path = lookInto(ctx, input.path ?? ".");
  return typeof path === "string"
    ? listDirectory(path, input, ctx)
    : path.then((found) => listDirectory(found, input, ctx));
}

function listDirectory(
  path: string,
  { recursive, pattern, cursor, format }: z.output<typeof schema>,
  ctx: ToolContext,
): ToolOutput | Promise<ToolOutput> {
  const matches = pattern === undefined ? null : matcher(pattern);
  const onPath = pattern?.includes("/") ?? false;
  const page = new PageBuilder<ReturnType<typeof shown>>(ctx.limits.entries, ctx.limits.answerBytes);
  const visited = walkEntries(ctx, path, recursive ? ANY_DEPTH : 1, cursorBelow(cursor), (entry) => {
    const relative = entry.prefix + entry.name;
    if (matches !== null && !matches(onPath ? relative : entry.name, entry.type === "dir")) return true;
    return page.add(shown(relative, entry), relative, relative.length * ESCAPED + ENTRY_BYTES);
  });
  const finish = () => {
    const { items, ...rest } = page.page();
    return answer({ path, entries: items, ...rest }, format === "text" ? asText(path, items, rest.cursor) : undefined);
  };
  return visited === undefined ? finish() : visited.then(finish);
}

/** JSON bytes of an entry besides its name: `{"name":"","type":"directory","size":…,"modified":"…"}`, with the longest numbers. */
const ENTRY_BYTES = 110;

function shown(relative: string, { type, size, mtimeMs }: ToolEntry) {
  return { name: relative, type: entryType(type), size, modified: isoTime(mtimeMs) };
}

function asText(path: string, entries: readonly ReturnType<typeof shown>[], cursor: string | undefined): string {
  const lines = entries.map(({ name, type, size, modified }) => {
    const mark = type === "directory" ? "/" : type === "symlink" ? "@" : "";
    return `${humanTime(Date.parse(modified))}  ${(type === "file" ? humanSize(size) : "-").padStart(8)}  ${oneLine(name)}${mark}`;
  });
  return [`${path}:`, ...lines, ...(cursor === undefined ? [] : [`[more: cursor ${JSON.stringify(cursor)}]`])].join(
    "\n",
  );
}
