/**
 * GET and HEAD of a file: evaluates conditions, then sends one range or the whole file, streamed from its rows unless it is small.
 * The ETag belongs to exactly the bytes that follow it.
 */
import { type FileStat, type FileSystem, FsError } from "@cloudflare/workspace";
import { HttpError } from "../../errors/http-error.ts";
import { matchesStrongly, parseTags } from "../../http/entity-tag.ts";
import { evaluateRead, parseDate, parsePreconditions, wholeSeconds } from "../../http/preconditions.ts";
import { contentRange, parseRange, type Span } from "../../http/range.ts";
import { LIMITS } from "../../limits.ts";
import { fileHeaders, validators } from "./file-headers.ts";
import { openVersion } from "./open-version.ts";
import { basename, type ResolvedPath, resolveExisting } from "./resolve-path.ts";

export async function getFile(
  fs: FileSystem,
  request: Request,
  requested: string,
  first: ResolvedPath,
): Promise<Response> {
  let found = first;
  for (let attempt = 0; attempt < LIMITS.openAttempts; attempt++) {
    if (found.stat.type === "dir") throw new FsError("EISDIR", { syscall: "read", path: requested });
    const plan = planOf(request, requested, found.stat);
    if (plan instanceof Response) return plan;
    const body = request.method === "HEAD" ? null : await openVersion(fs, found, plan.span);
    if (body !== "changed") return answer(body, plan);
    found = await resolveExisting(fs, requested);
  }
  throw new HttpError("EAGAIN", "the file changes faster than it can be opened", { path: requested });
}

interface ResponsePlan {
  status: 200 | 206;
  headers: Headers;
  length: number;
  /** Undefined: the whole file. */
  span?: Span;
}

function planOf(request: Request, requested: string, stat: FileStat): ResponsePlan | Response {
  const verdict = evaluateRead(parsePreconditions(request.headers), {
    version: stat.version,
    modifiedMs: stat.mtimeMs,
  });
  if (verdict === "failed")
    throw new HttpError("ESTALE", "the file is not what If-Match or If-Unmodified-Since demands", { path: requested });
  if (verdict === "not-modified") return new Response(null, { status: 304, headers: validators(stat) });
  const headers = fileHeaders(basename(requested), stat);
  const span = requestedRange(request, stat);
  if (span === "unsatisfiable") {
    const fields = {
      path: requested,
      headers: { "Content-Range": contentRange(span, stat.size), "Accept-Ranges": "bytes" },
    };
    throw new HttpError("RANGE_NOT_SATISFIABLE", `the file has ${stat.size} bytes`, fields);
  }
  if (span === null) return { status: 200, headers, length: stat.size };
  headers.set("Content-Range", contentRange(span, stat.size));
  return { status: 206, headers, length: span.end - span.start + 1, span };
}

/** Range is defined for GET only; if If-Range does not match, the whole file is sent. */
function requestedRange({ method, headers }: Request, stat: FileStat): Span | null | "unsatisfiable" {
  if (method !== "GET") return null;
  const ifRange = headers.get("If-Range");
  if (ifRange !== null && !rangeStillFits(ifRange, stat)) return null;
  return parseRange(headers.get("Range"), stat.size);
}

function rangeStillFits(ifRange: string, stat: FileStat): boolean {
  if (!ifRange.includes('"')) return parseDate(ifRange) === wholeSeconds(stat.mtimeMs);
  return matchesStrongly(parseTags("If-Range", ifRange) ?? [], stat.version);
}

function answer(
  body: ReadableStream<Uint8Array> | Uint8Array | null,
  { status, headers, length }: ResponsePlan,
): Response {
  headers.set("Content-Length", String(length));
  if (body === null || body instanceof Uint8Array) return new Response(body, { status, headers });
  // The runtime announces the length of such a stream, so a truncated body cannot pass for a whole one.
  const sized = new FixedLengthStream(length);
  body.pipeTo(sized.writable).catch(() => {});
  return new Response(sized.readable, { status, headers });
}
