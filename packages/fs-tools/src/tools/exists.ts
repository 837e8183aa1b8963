/** `exists` and `info`: the entry at a path, without following links. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { formatField, pathField } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { type Entry, toEntry } from "../files/entries.ts";
import { humanSize, humanTime, isoTime, modeText, octalMode } from "../format/human.ts";
import { lookAt } from "../paths/look.ts";
import { basename } from "../paths/path-resolver.ts";

const schema = z.strictObject({ path: pathField, format: formatField });
type Input = z.output<typeof schema>;
const annotations = { readOnly: true, destructive: false, idempotent: true } as const;

export const existsTool = defineTool({
  name: "exists",
  group: "filesystem",
  description: "Whether a path exists, and as what.",
  annotations,
  schema,
  available: (host) => host.workspace !== undefined,
  handler: exists,
});

export const infoTool = defineTool({
  name: "info",
  group: "filesystem",
  description: "Type, size, times, permissions and link target of a path.",
  annotations,
  schema,
  available: (host) => host.workspace !== undefined,
  handler: info,
});

async function exists({ path: given, format }: Input, ctx: ToolContext): Promise<ToolOutput> {
  const { path, stat } = await lookAt(ctx, given);
  const entry = toEntry(ctx, path, stat);
  return answer(
    entry === null ? { path, exists: false } : { path, exists: true, type: entry.type },
    format === "text" ? (entry === null ? "does not exist" : `exists: ${entry.type}`) : undefined,
  );
}

async function info({ path: given, format }: Input, ctx: ToolContext): Promise<ToolOutput> {
  const { path, stat } = await lookAt(ctx, given);
  const entry = toEntry(ctx, path, stat);
  if (entry === null) throw new ToolError("ENOENT", `There is nothing at ${path}. Use list or glob to find it.`);
  const mode = stat?.mode ?? (entry.type === "directory" ? 0o755 : 0o644);
  const structured: Info = {
    path,
    name: basename(path),
    type: entry.type,
    size: entry.size,
    modified: isoTime(entry.mtimeMs),
    permissions: modeText(mode, entry.type),
    octal: octalMode(mode),
  };
  if (stat?.type === "symlink") structured.target = await ctx.workspace.fs.readlink(path);
  if (stat !== null) {
    structured.created = isoTime(stat.birthtimeMs);
    structured.version = stat.version;
  }
  if (stat === null || ctx.files.queued.has(path)) structured.proposed = true;
  return answer(structured, format === "text" ? asText(structured) : undefined);
}

/** The result of `info`. */
type Info = {
  path: string;
  name: string;
  type: Entry["type"];
  size: number;
  modified: string;
  permissions: string;
  octal: string;
  target?: string;
  created?: string;
  version?: string;
  proposed?: true;
};

function asText(info: Info): string {
  return [
    `${info.path}${info.target === undefined ? "" : ` -> ${info.target}`}`,
    `type: ${info.type}`,
    `size: ${humanSize(info.size)} (${info.size} bytes)`,
    `modified: ${humanTime(Date.parse(info.modified))}`,
    `permissions: ${info.permissions} (${info.octal})`,
  ].join("\n");
}
