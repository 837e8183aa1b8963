/** A directory listed page by page: one message returns up to a thousand entries, and `opendir` itself returns the first page. */
import { RPC_LIMITS, type WireDirent, type WireDirPage } from "@workspace/protocol";
import type { Dir } from "@workspace/vfs";
import { plainDirent } from "./plain.ts";
import { type Verb, verbDefiner } from "./verb.ts";

const op = verbDefiner<Dir>();

export const dirOps: ReadonlyMap<string, Verb<Dir>> = new Map<string, Verb<Dir>>([
  ["read", op([], async (dir) => ({ value: await readPage(dir) }))],
  ["close", op([], (dir) => dir.close().then(() => ({})))],
]);

export async function readPage(dir: Dir): Promise<WireDirPage> {
  const entries: WireDirent[] = [];
  while (entries.length < RPC_LIMITS.pageItems) {
    const entry = await dir.read();
    if (entry === null) return { entries, done: true };
    entries.push(plainDirent(entry));
  }
  return { entries, done: false };
}
