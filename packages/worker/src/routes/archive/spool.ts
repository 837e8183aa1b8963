/** Spools a request body that needs random access: in memory while it is small, otherwise in a staged file. */
import type { FileSystem } from "@cloudflare/workspace";
import type { RandomAccess } from "@workspace/archive";
import { LIMITS } from "../../limits.ts";
import { Staging } from "./staging.ts";

export async function spool(fs: FileSystem, body: AsyncIterable<Uint8Array>): Promise<RandomAccess & AsyncDisposable> {
  const chunks = body[Symbol.asyncIterator]();
  const held: Uint8Array[] = [];
  let size = 0;
  while (size <= LIMITS.archiveMemory) {
    const { done, value } = await chunks.next();
    if (done) return inMemory(held, size);
    held.push(value);
    size += value.length;
  }
  const staging = await Staging.open(fs);
  try {
    const rest = (async function* () {
      yield* held;
      for (let step = await chunks.next(); !step.done; step = await chunks.next()) yield step.value;
    })();
    const path = `${staging.path}/archive`;
    const written = await fs.writeFile(path, rest);
    const read = (start: number, length: number) => fs.readRange(path, start, length);
    return { size: written.size, read, [Symbol.asyncDispose]: () => staging[Symbol.asyncDispose]() };
  } catch (error) {
    await staging[Symbol.asyncDispose]();
    throw error;
  }
}

function inMemory(chunks: readonly Uint8Array[], size: number): RandomAccess & AsyncDisposable {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return {
    size,
    read: async (start, length) => bytes.subarray(start, start + length),
    [Symbol.asyncDispose]: async () => {},
  };
}
