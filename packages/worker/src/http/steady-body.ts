/**
 * A body's chunks as they come. One that breaks off or pauses for too long is an error and never an end, so that half of it is not
 * taken for the whole; leaving early lets go of the client.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";

export async function* steadyBody(
  body: ReadableStream<Uint8Array> | null,
  path?: string,
  pauseMs: number = LIMITS.bodyPauseMs,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await within(pauseMs, reader, path);
      ended = done;
      if (done) return;
      yield value as Uint8Array;
    }
  } finally {
    // A refusal does not wait for a client that is slow to stop.
    if (!ended) reader.cancel().catch(() => {});
  }
}

async function within(ms: number, reader: ReadableStreamDefaultReader<Uint8Array>, path?: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HttpError("TIMEOUT", "the body pauses for too long", { path })), ms);
  });
  const read = reader
    .read()
    .catch((cause: unknown) => Promise.reject(new HttpError("ABORT_ERR", "the body broke off", { path, cause })));
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}
