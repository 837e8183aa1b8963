/**
 * A JSON body, at most 1 MiB of it whatever Content-Length says. It must be announced as JSON: a form that a foreign page submits
 * cannot be. No body at all is an empty object, for routes that need nothing.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { wholeBytes } from "./steady-body.ts";

export async function jsonBody(request: Request): Promise<unknown> {
  if (request.headers.get("Content-Encoding"))
    throw new HttpError("UNSUPPORTED_ENCODING", "a body with Content-Encoding is not taken");
  if (Number(request.headers.get("Content-Length") ?? 0) > LIMITS.jsonBytes) throw tooLarge();
  const bytes = await wholeBytes(request.body, LIMITS.jsonBytes);
  if (bytes === null) throw tooLarge();
  if (bytes.byteLength === 0) return {};
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/json *(;|$)/i.test(type))
    throw new HttpError("UNSUPPORTED_TYPE", "the body is not announced as JSON");
  return parse(bytes);
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (cause) {
    throw new HttpError("EINVAL", "the body is not JSON in UTF-8", { cause });
  }
}

function tooLarge(): HttpError {
  return new HttpError("EFBIG", `a JSON body has at most ${LIMITS.jsonBytes} bytes`);
}
