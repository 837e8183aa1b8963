/** A response's bytes as they come. A connection that breaks off is git's error, and leaving early gives it up. */
import { cutShort } from "./pkt-line.ts";

export async function* bodyOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  let ended = false;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((cause) => {
        ended = true;
        throw Object.assign(cutShort(), { cause });
      });
      if (done) {
        ended = true;
        return;
      }
      yield value as Uint8Array;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => {});
  }
}
