/**
 * Marks the end of a body of unknown length. When such a body breaks off on its way to an object, what arrived looks complete; it is
 * complete only if the marker, random bytes that its sender cannot know, comes last.
 */
import { HttpError } from "../errors/http-error.ts";

const SIZE = 16;

export function createEndMarker(): string {
  return [...crypto.getRandomValues(new Uint8Array(SIZE))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The body, then the marker. */
export function withEndMarker(body: ReadableStream<Uint8Array>, marker: string): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      flush: (controller) => controller.enqueue(toBytes(marker)),
    }),
  );
}

/** The body without the marker; it fails at its end if there is none. */
export function withoutEndMarker(body: ReadableStream<Uint8Array>, marker: string): ReadableStream<Uint8Array> {
  let tail = new Uint8Array();
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const all = tail.length === 0 ? chunk : joined(tail, chunk);
        const end = Math.max(0, all.length - SIZE);
        if (end > 0) controller.enqueue(all.subarray(0, end));
        tail = all.slice(end);
      },
      flush(controller) {
        const expected = toBytes(marker);
        const isEnd = tail.length === SIZE && tail.every((byte, at) => byte === expected[at]);
        if (!isEnd) controller.error(new HttpError("ABORT_ERR", "the body broke off"));
      },
    }),
  );
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

function toBytes(marker: string): Uint8Array {
  return Uint8Array.from({ length: SIZE }, (_, at) => Number.parseInt(marker.slice(2 * at, 2 * at + 2), 16));
}
