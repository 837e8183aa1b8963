/**
 * A JSON body, at most 1 MiB of it whatever Content-Length says. It must be announced as JSON: a form that a foreign page submits
 * cannot be. No body at all is an empty object, for routes that need nothing.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { steadyBody } from "./steady-body.ts";

export async function jsonBody(request: Request): Promise<unknown> {
  if (request.headers.get("Content-Encoding"))
    throw new HttpError("UNSUPPORTED_ENCODING", "a body with Content-Encoding is not taken");
  if (Number(request.headers.get("Content-Length") ?? 0) > LIMITS.jsonBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of steadyBody(request.body)) {
    size += chunk.byteLength;
    if (size > LIMITS.jsonBytes) throw tooLarge();
    chunks.push(chunk);
  }
  if (size === 0) return {};
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^application\/json *(;|$)/i.test(type))
    throw new HttpError("UNSUPPORTED_TYPE", "the body is not announced as JSON");
  return parse(await new Blob(chunks).arrayBuffer());
}

function parse(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
  } catch (cause) {
    throw new HttpError("EINVAL", "the body is not JSON in UTF-8", { cause });
  }
}

function tooLarge(): HttpError {
  return new HttpError("EFBIG", `a JSON body has at most ${LIMITS.jsonBytes} bytes`);
}
