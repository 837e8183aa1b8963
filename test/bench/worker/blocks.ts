/** Regroups a stream of chunks into blocks of one size (the last may be shorter), for contenders that have no streams. */
export async function* blocks(content: ReadableStream<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let block = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of content as unknown as AsyncIterable<Uint8Array>) {
    let taken = 0;
    while (taken < chunk.length) {
      const part = chunk.subarray(taken, taken + size - filled);
      block.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < size) continue;
      yield block;
      block = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}
