/**
 * `write`: a whole file, or an append. Creates parents, preserves the mode, and never overwrites another's change since the last
 * read.
 */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { pathField } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { cutText } from "../format/cut-text.ts";
import { isUtf8Prefix, utf8Decoder } from "../format/file-kind.ts";
import { lookToWrite } from "../paths/look.ts";
import type { FileStat } from "../store/file-store.ts";
import { generateUnifiedPatch } from "./edit/diff-string.ts";

const schema = z.strictObject({
  path: pathField,
  content: z.string(),
  append: z.boolean().optional(),
});

export const writeTool = defineTool({
  name: "write",
  group: "filesystem",
  description: "Write a whole text file, or append to it; makes directories. To change a part use edit.",
  guidance: "for new files and complete rewrites; edit is cheaper for changes.",
  annotations: { readOnly: false, destructive: true, idempotent: true },
  schema,
  available: (host) => host.store !== undefined || host.workspace !== undefined,
  handler: write,
});

async function write({ path: given, content, append }: z.output<typeof schema>, ctx: ToolContext): Promise<ToolOutput> {
  const bytes = encodeText(content, ctx.limits.writeBytes);
  if (given.endsWith("/")) throw new ToolError("EISDIR", `${given} names a directory; give the path of a file.`);
  const { path, stat } = await lookToWrite(ctx, given);
  if (stat?.type === "dir") throw new ToolError("EISDIR", `${path} is a directory; give the path of a file.`);
  if (append) {
    await requireSameEncoding(ctx, path, stat, content);
    const seen = await ctx.files.append(path, bytes, stat);
    const size = (stat?.size ?? 0) + bytes.length;
    const queued = ctx.files.proposing ? { proposed: true } : {};
    return answer({ ok: true, written: true, path, size, version: seen?.version, ...queued });
  }
  await ctx.files.requireNotStale(path, stat);
  const diff = await diffOf(ctx, path, stat, content);
  const versions = await ctx.files.commit(
    [{ path, bytes, ...(stat === null ? {} : { mode: stat.mode }) }],
    new Map([[path, stat]]),
  );
  const version = versions.get(path)?.version;
  const queued = ctx.files.proposing ? { proposed: true } : {};
  return answer({
    ok: true,
    written: true,
    path,
    size: bytes.length,
    version,
    ...(diff === undefined ? {} : { diff }),
    ...queued,
  });
}

const encoder = new TextEncoder();

/** UTF-8 within the budget; half a surrogate pair would silently become another character. */
function encodeText(content: string, maxBytes: number): Uint8Array {
  if (!content.isWellFormed())
    throw new ToolError("INVALID_INPUT", "The content holds half a surrogate pair and cannot be written as UTF-8.", {
      field: "content",
    });
  const bytes = encoder.encode(content);
  if (bytes.length <= maxBytes) return bytes;
  throw new ToolError(
    "TOO_LARGE",
    `The content has ${bytes.length} bytes; at most ${maxBytes} fit in one call. Change an existing file with the edit tool, or write it in parts with append.`,
    { maxBytes, suggestedTool: "edit" },
  );
}

/** How much of a file is examined before an append. */
const LOOKED_AT = 64 * 1024;

/** UTF-8 appended to UTF-16, Latin-1 or binary data would be read as something else. ASCII is harmless after Latin-1. */
async function requireSameEncoding(ctx: ToolContext, path: string, stat: FileStat | null, content: string) {
  if (stat === null || stat.size === 0) return;
  let at = 0;
  let isOther = false;
  const isAscii = !/[^\0-\x7f]/.test(content);
  const decoder = utf8Decoder();
  for await (const chunk of ctx.files.chunks(path, 0, LOOKED_AT)) {
    isOther ||= at < ctx.limits.sniffBytes && chunk.subarray(0, ctx.limits.sniffBytes - at).includes(0);
    isOther ||= !isAscii && !isUtf8Prefix(chunk, decoder);
    at += chunk.length;
  }
  if (isOther)
    throw new ToolError(
      "ENCODING",
      `${path} is not UTF-8 text, and would be damaged by UTF-8 at its end; nothing was changed. Use exec with a program that knows its encoding (iconv).`,
    );
}

const DIFFED_BYTES = 256 * 1024;

/** The diff of an overwrite, if both sides are texts of a reasonable size. */
async function diffOf(
  ctx: ToolContext,
  path: string,
  stat: FileStat | null,
  content: string,
): Promise<string | undefined> {
  if (stat === null || stat.size > DIFFED_BYTES || content.length > DIFFED_BYTES) return undefined;
  const before = await ctx.files.read(path);
  if (before === null || before.includes(0)) return undefined;
  return cutText(generateUnifiedPatch(path, new TextDecoder().decode(before), content), ctx.limits.diffBytes);
}
