/**
 * Reads a body in chunks. A body that breaks off or exceeds the idle timeout is an error, never an end, so that half of it is not
 * taken for the whole. Leaving early, as an error response does, first drains a little: a response that overtakes the rest of its
 * request closes the connection, and behind a proxy that reuses it (`wrangler dev`), the next request of another client fails with
 * it.
 */
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";

export async function* readWithIdleTimeout(
  body: ReadableStream<Uint8Array> | null,
  path?: string,
  idleMs: number = LIMITS.bodyIdleMs,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let more = false;
  let ended = false;
  try {
    for (;;) {
      more = false;
      const { done, value } = await within(idleMs, reader.read(), path);
      ended = done;
      if (done) return;
      more = true;
      yield value as Uint8Array;
    }
  } finally {
    if (more) ended = await readOn(reader);
    // An error response does not wait for a client that is slow to stop.
    if (!ended) reader.cancel().catch(() => {});
  }
}

/** Drains a body that was never read. */
export async function drainBody({ body, bodyUsed }: Request): Promise<void> {
  if (body === null || bodyUsed) return;
  const reader = body.getReader();
  if (!(await readOn(reader))) reader.cancel().catch(() => {});
}

/** Returns whether the body ended. */
async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LIMITS.refusedBodyMs);
  });
  try {
    for (let size = 0; size <= LIMITS.drainBytes; ) {
      const step = await Promise.race([reader.read(), late]);
      if (step === null) return false;
      if (step.done) return true;
      size += step.value.byteLength;
    }
    return false;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** The whole body in one piece; null if it is longer than the limit, leaving the rest unread. */
export async function readAll(
  body: ReadableStream<Uint8Array> | null,
  max: number,
  path?: string,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readWithIdleTimeout(body, path)) {
    size += chunk.byteLength;
    if (size > max) return null;
    chunks.push(chunk);
  }
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

async function within<T>(ms: number, reading: Promise<T>, path?: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HttpError("TIMEOUT", "the body pauses for too long", { path })), ms);
  });
  const read = reading.catch((cause: unknown) => {
    throw new HttpError("ABORT_ERR", "the body broke off", { path, cause });
  });
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}
