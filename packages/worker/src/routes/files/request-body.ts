/**
 * Streams a request's body to a file, counting its bytes. The body is cut off at the limit whatever Content-Length says, and must
 * match Content-Length if there is one. A body that fails in any way never ends, so nothing is written.
 */
import { HttpError } from "../../errors/http-error.ts";
import { readAll, readWithIdleTimeout } from "../../http/read-body.ts";
import { LIMITS } from "../../limits.ts";

/** The declared length of the body, or null. Refuses what can be refused before the first byte. */
export function declaredLength(headers: Headers, path: string): number | null {
  const encoding = headers.get("Content-Encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    throw new HttpError("UNSUPPORTED_ENCODING", "a body with Content-Encoding is not taken", { path });
  }
  if (headers.has("Content-Range")) {
    throw new HttpError("EINVAL", "a part of a file cannot be PUT", {
      path,
      hint: "PUT the whole file, without Content-Range.",
    });
  }
  const header = headers.get("Content-Length");
  if (header === null) return null;
  if (!/^\d+$/.test(header)) throw new HttpError("EINVAL", "Content-Length is not a number", { path });
  if (Number(header) > LIMITS.bodyBytes) throw tooLarge(path);
  return Number(header);
}

/** A short body of known length, in one piece; null for any other, which must be streamed. */
export async function shortBody(request: Request, { path, declared }: BodyRules): Promise<Uint8Array | null> {
  if (declared === null || declared > LIMITS.shortBody) return null;
  const bytes = await readAll(request.body, declared, path);
  if (bytes?.byteLength !== declared)
    throw wrongLength(bytes === null ? "more" : String(bytes.byteLength), declared, path);
  return bytes;
}

export interface BodyRules {
  path: string;
  declared: number | null;
  /** Runs after the last byte has arrived and before the body ends: only a whole body may have effects. */
  complete?: () => Promise<void>;
}

export async function* limitedBody(
  body: ReadableStream<Uint8Array> | null,
  rules: BodyRules,
): AsyncGenerator<Uint8Array> {
  const { path, declared, complete } = rules;
  let size = 0;
  for await (const chunk of readWithIdleTimeout(body, path)) {
    size += chunk.byteLength;
    if (size > LIMITS.bodyBytes) throw tooLarge(path);
    yield chunk;
  }
  if (declared !== null && declared !== size) throw wrongLength(String(size), declared, path);
  await complete?.();
}

function wrongLength(size: string, declared: number, path: string): HttpError {
  return new HttpError("EINVAL", `the body has ${size} bytes, and Content-Length says ${declared}`, { path });
}

function tooLarge(path: string): HttpError {
  const hint = `One body has at most ${LIMITS.bodyBytes} bytes; nothing was changed.`;
  return new HttpError("EFBIG", "the body is too large", { path, hint });
}
