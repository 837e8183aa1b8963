/** A result's stdout and stderr: complete, or truncated to head and tail between characters. */
import { concatBytes } from "../bytes.ts";
import type { OutputChunk, StreamName } from "./output-log.ts";
import { incompleteTail } from "./utf8-boundary.ts";

export interface TruncatedStream {
  readonly head: Uint8Array;
  /** Bytes between head and tail. */
  readonly omitted: number;
  readonly tail: Uint8Array;
}

/** `printed` is the size of both streams together, `total` that of each. */
export async function truncateOutput(
  chunks: AsyncIterable<OutputChunk | "gap">,
  total: Readonly<Record<StreamName, number>>,
  resultBytes: number,
): Promise<Record<StreamName, TruncatedStream>> {
  const printed = total.stdout + total.stderr;
  const headEnd = printed <= resultBytes ? printed : resultBytes / 2;
  const tailBytes = printed <= resultBytes ? 0 : resultBytes / 2;
  const heads = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  let tail: OutputChunk[] = [];
  let tailHeld = 0;
  let seen = 0;
  for await (const chunk of chunks) {
    // A gap lies between head and tail: both are much smaller than the output before and after it.
    if (chunk === "gap") continue;
    const fits = Math.max(0, Math.min(chunk.value.length, headEnd - seen));
    if (fits > 0) heads[chunk.name].push(chunk.value.subarray(0, fits));
    seen += chunk.value.length;
    if (fits === chunk.value.length || tailBytes === 0) continue;
    tail.push({ ...chunk, value: chunk.value.subarray(fits) });
    tailHeld += chunk.value.length - fits;
    while (tailHeld - tail[0]!.value.length >= tailBytes) tailHeld -= tail.shift()!.value.length;
  }
  if (tailHeld > tailBytes) {
    const [first, ...rest] = tail as [OutputChunk, ...OutputChunk[]];
    tail = [{ ...first, value: first.value.subarray(tailHeld - tailBytes) }, ...rest];
  }
  return { stdout: retained("stdout"), stderr: retained("stderr") };

  function retained(name: StreamName): TruncatedStream {
    let head = concatBytes(heads[name]);
    let end = concatBytes(tail.filter((chunk) => chunk.name === name).map(({ value }) => value));
    if (head.length + end.length < total[name]) {
      head = head.subarray(0, head.length - incompleteTail(head));
      end = end.subarray(continued(end));
    }
    return { head, omitted: total[name] - head.length - end.length, tail: end };
  }
}

/** The number of leading bytes that belong to a character begun earlier. */
function continued(bytes: Uint8Array): number {
  let count = 0;
  while (count < 3 && count < bytes.length && (bytes[count]! & 0xc0) === 0x80) count++;
  return count;
}
