/**
 * `read`: a window of a file by lines or by bytes; images and PDFs as files. The cost depends on the window, not on the file's
 * size.
 */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import { count, formatField, pathField } from "../definition/fields.ts";
import type { ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { toBase64 } from "../format/base64.ts";
import { charBoundary } from "../format/cut-text.ts";
import { type FileKind, fileKind, UTF_16 } from "../format/file-kind.ts";
import { concat, countLines, type LineBounds, lineWindow } from "../format/window.ts";
import { lookToRead } from "../paths/look.ts";
import { basename } from "../paths/path-resolver.ts";
import type { FileStat } from "../store/file-store.ts";

const schema = z.strictObject({
  path: pathField,
  offset: count.describe("First line, from 1"),
  limit: count.describe("Lines; at most 2000"),
  byteOffset: count.describe("From this byte"),
  maxBytes: count,
  lineNumbers: z.boolean().optional(),
  format: formatField,
});
type ReadInput = z.output<typeof schema>;

export const readTool = defineTool({
  name: "read",
  group: "filesystem",
  description:
    "Read a text file by lines or bytes; images and PDFs come as files. A cut answer has nextOffset or nextByteOffset to go on.",
  guidance: "read a file before you change it.",
  annotations: { readOnly: true, destructive: false, idempotent: true },
  schema,
  available: (host) => host.store !== undefined || host.workspace !== undefined,
  handler: read,
});

async function read(input: ReadInput, ctx: ToolContext): Promise<ToolOutput> {
  const { path, stat } = await lookToRead(ctx, input.path);
  if (stat === null) {
    await ctx.files.forgetRead(path);
    throw new ToolError("ENOENT", `There is no file ${path}. Use list or glob to find it.`);
  }
  if (stat.type === "dir") throw new ToolError("EISDIR", `${path} is a directory. Use list or tree.`);
  const whole = await wholeIfSmall(ctx, path, stat);
  const head = whole?.subarray(0, ctx.limits.sniffBytes) ?? (await collect(ctx, path, 0, ctx.limits.sniffBytes));
  const kind = fileKind(path, head);
  if (kind.kind === "media") return media(ctx, path, stat, kind.mediaType);
  if (kind.kind === "binary") throw binary(path, stat, kind);
  const seen = await ctx.files.versionsOf(path, stat, whole);
  const { version } = seen;
  const byBytes =
    input.byteOffset !== undefined ||
    (input.maxBytes !== undefined && input.offset === undefined && input.limit === undefined);
  const body = byBytes ? await readByteRange(ctx, path, stat, input) : await readLineRange(ctx, path, input, whole);
  await ctx.files.recordRead(path, seen, whole);
  const { content, ...place } = body;
  return answer(
    { path, content, size: stat.size, ...place, version, decidedBy: kind.rule },
    input.format === "text" ? asText(body) : undefined,
  );
}

interface ReadBody {
  content: string;
  startLine?: number;
  endLine?: number;
  totalLines?: number;
  nextOffset?: number;
  nextByteOffset?: number;
  bom?: true;
  /** Some bytes are not UTF-8 and show as U+FFFD. */
  invalidBytes?: true;
  truncated: boolean;
}

/** One read covers everything about a small file. */
async function wholeIfSmall(ctx: ToolContext, path: string, stat: FileStat): Promise<Uint8Array | undefined> {
  if (stat.size > ctx.limits.readBytes) return undefined;
  return (await ctx.files.read(path)) ?? undefined;
}

async function readLineRange(ctx: ToolContext, path: string, input: ReadInput, whole?: Uint8Array): Promise<ReadBody> {
  const { readLines, readBytes } = ctx.limits;
  const offset = Math.max(input.offset ?? 1, 1);
  const width = input.lineNumbers ? 8 : 0;
  const bounds = {
    offset,
    limit: Math.min(input.limit || readLines, readLines),
    maxBytes: Math.min(input.maxBytes || readBytes, readBytes),
    perLine: width,
  };
  const all = whole === undefined || offset !== 1 ? null : wholeBody(whole, bounds);
  if (all !== null && !isTooLong(all, ctx)) return all;
  const window = await lineWindow(whole === undefined ? ctx.files.chunks(path) : [whole], bounds);
  const { totalLines, startLine, endLine, nextOffset, nextByteOffset } = window;
  if (totalLines !== undefined && offset > Math.max(totalLines, 1))
    throw new ToolError("OUT_OF_RANGE", `${path} has ${totalLines} lines; line ${offset} is past its end.`, {
      totalLines,
    });
  const decoded = decode(window.bytes, offset === 1);
  const content = input.lineNumbers ? numbered(decoded.content, startLine) : decoded.content;
  const truncated = nextOffset !== undefined || nextByteOffset !== undefined;
  const rest = {
    ...(totalLines === undefined ? {} : { totalLines }),
    ...(nextOffset === undefined ? {} : { nextOffset }),
    ...(nextByteOffset === undefined ? {} : { nextByteOffset }),
  };
  const body = { ...decoded, content, startLine, endLine, ...rest, truncated };
  if (!isTooLong(body, ctx) || bounds.maxBytes <= safeBytes(ctx)) return body;
  return readLineRange(ctx, path, { ...input, maxBytes: safeBytes(ctx) }, whole);
}

/** Fast path for a file that fits the window, as most do: nothing is copied. Null: it does not fit. */
function wholeBody(whole: Uint8Array, { limit, maxBytes, perLine }: LineBounds): ReadBody | null {
  if (whole.length > maxBytes) return null;
  const decoded = decode(whole, true);
  // A byte-order mark alone counts as a line.
  const lines = decoded.content === "" && whole.length > 0 ? 1 : countLines(decoded.content);
  if (lines > limit || whole.length + lines * perLine > maxBytes) return null;
  const content = perLine === 0 ? decoded.content : numbered(decoded.content, 1);
  return { ...decoded, content, startLine: 1, endLine: lines, totalLines: lines, truncated: false };
}

async function readByteRange(ctx: ToolContext, path: string, stat: FileStat, input: ReadInput): Promise<ReadBody> {
  const start = input.byteOffset ?? 0;
  if (start > stat.size || (start === stat.size && stat.size > 0))
    throw new ToolError("OUT_OF_RANGE", `${path} has ${stat.size} bytes; byte ${start} is past its end.`, {
      size: stat.size,
    });
  const max = Math.min(input.maxBytes || ctx.limits.readBytes, ctx.limits.readBytes);
  // Four more bytes, so that a character at the edge is complete.
  const bytes = await collect(ctx, path, start, Math.min(start + max + 4, stat.size));
  const end =
    start + bytes.length >= stat.size && bytes.length <= max
      ? bytes.length
      : Math.max(charBoundary(bytes, max), Math.min(firstChar(bytes), bytes.length));
  const next = start + end;
  const truncated = next < stat.size;
  const decoded = decode(bytes.subarray(0, end), start === 0);
  const body = { ...decoded, truncated, ...(truncated ? { nextByteOffset: next } : {}) };
  if (!isTooLong(body, ctx) || max <= safeBytes(ctx)) return body;
  return readByteRange(ctx, path, stat, { ...input, maxBytes: safeBytes(ctx) });
}

/** Length of the first character: a smaller budget still makes progress. */
function firstChar(bytes: Uint8Array): number {
  let length = 1;
  while (length < 4 && ((bytes[length] ?? 0) & 0xc0) === 0x80) length++;
  return length;
}

async function collect(ctx: ToolContext, path: string, start: number, end: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of ctx.files.chunks(path, start, end)) parts.push(chunk);
  return concat(parts);
}

const DECODER = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });

function decode(bytes: Uint8Array, atStart: boolean): { content: string; bom?: true; invalidBytes?: true } {
  const text = DECODER.decode(bytes);
  const bom = atStart && text.startsWith("\uFEFF");
  const invalid = text.includes("\uFFFD") && !isValid(bytes);
  return {
    content: bom ? text.slice(1) : text,
    ...(bom ? { bom } : {}),
    ...(invalid ? { invalidBytes: true as const } : {}),
  };
}

function isValid(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function numbered(content: string, first: number): string {
  if (content === "") return "";
  const lines = content.split("\n");
  const last = lines.at(-1) === "" ? lines.pop() : undefined;
  const text = lines.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join("\n");
  return last === undefined ? text : `${text}\n`;
}

/** JSON doubles quotes and writes a control character in six bytes: the result may be twice the budget, not six times. */
const MAX_GROWTH = 2;
const ESCAPED = 6;

function isTooLong({ content }: ReadBody, { limits }: ToolContext): boolean {
  const budget = limits.readBytes * MAX_GROWTH;
  return content.length * ESCAPED > budget && JSON.stringify(content).length > budget;
}

/** A window that fits whatever its content. */
function safeBytes({ limits }: ToolContext): number {
  return Math.floor((limits.readBytes * MAX_GROWTH) / ESCAPED);
}

async function media(ctx: ToolContext, path: string, stat: FileStat, mediaType: string): Promise<ToolOutput> {
  if (stat.size > ctx.limits.mediaBytes)
    throw new ToolError(
      "TOO_LARGE",
      `${path} is ${mediaType} of ${stat.size} bytes; at most ${ctx.limits.mediaBytes} can be shown.`,
    );
  const bytes = (await ctx.files.read(path)) ?? new Uint8Array(0);
  const seen = await ctx.files.versionsOf(path, stat, bytes);
  await ctx.files.recordRead(path, seen);
  const structured = { path, mediaType, size: stat.size, version: seen.version, truncated: false };
  return { structured, files: [{ mediaType, filename: basename(path), data: toBase64(bytes) }] };
}

function binary(path: string, stat: FileStat, kind: Extract<FileKind, { kind: "binary" }>): ToolError {
  const why = { nul: "it holds NUL bytes", control: "it holds control characters", encoding: "it is not UTF-8" }[
    kind.rule
  ];
  return new ToolError(
    "BINARY_FILE",
    `${path} is ${kind.what} (${stat.size} bytes), not ${kind.what === UTF_16 ? "UTF-8" : "text"}: ${why}. ${kind.what === UTF_16 ? "Convert a copy with exec (iconv -f UTF-16 -t UTF-8)." : "Look at it with exec if you must."}`,
    {
      what: kind.what,
      decidedBy: kind.rule,
    },
  );
}

function asText({ content, nextOffset, nextByteOffset, totalLines }: ReadBody): string {
  if (nextOffset !== undefined)
    return `${content}[more: read on with offset ${nextOffset}${totalLines === undefined ? "" : ` of ${totalLines}`}]`;
  if (nextByteOffset !== undefined) return `${content}\n[more: read on with byteOffset ${nextByteOffset}]`;
  return content;
}
