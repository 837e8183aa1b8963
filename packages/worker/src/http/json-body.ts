/**
 * Reads a JSON body of at most 1 MiB, whatever Content-Length says. Its media type must be JSON, which a form on a foreign page
 * cannot send. No body is an empty object, for routes without parameters.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { readAll } from "./read-body.ts";

export async function jsonBody(request: Request): Promise<unknown> {
  if (request.headers.get("Content-Encoding"))
    throw new HttpError("UNSUPPORTED_ENCODING", "a body with Content-Encoding is not taken");
  const bytes = await jsonBytes(request);
  if (bytes.byteLength === 0) return {};
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/json *(;|$)/i.test(type))
    throw new HttpError("UNSUPPORTED_TYPE", "the body is not announced as JSON");
  return parse(bytes);
}

/** The bytes of such a body, unparsed. */
export async function jsonBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get("Content-Length") ?? 0) > LIMITS.jsonBytes) throw tooLarge();
  const bytes = await readAll(request.body, LIMITS.jsonBytes);
  if (bytes === null) throw tooLarge();
  return bytes;
}

function parse(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    if (!isDeeper(text, LIMITS.jsonDepth)) return JSON.parse(text);
  } catch (cause) {
    throw new HttpError("EINVAL", "the body is not JSON in UTF-8", { cause });
  }
  throw new HttpError("EINVAL", `the body is nested more than ${LIMITS.jsonDepth} deep`);
}

/** Checked before parsing: RPC and any later walk of the value would overflow the stack. */
function isDeeper(json: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    if (depth > limit) return true;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function tooLarge(): HttpError {
  return new HttpError("EFBIG", `a JSON body has at most ${LIMITS.jsonBytes} bytes`);
}
