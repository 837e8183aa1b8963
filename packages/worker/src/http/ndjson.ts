/** Streams values as lines of JSON. An error after the first line is a last line of its own, because the status is already sent. */
import { errorBody } from "../errors/error-response.ts";

const encoder = new TextEncoder();

export function ndjson(values: AsyncIterable<unknown>): Response {
  const iterator = values[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(line(value));
      } catch (error) {
        controller.enqueue(line({ type: "error", ...errorBody(error) }));
        controller.close();
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, { headers: { "Content-Type": "application/x-ndjson; charset=utf-8" } });
}

function line(value: unknown): Uint8Array {
  return encoder.encode(`${JSON.stringify(value)}\n`);
}
