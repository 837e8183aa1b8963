/**
 * Gives large buffers back at once. As garbage they would stay until V8 has 64 MB of such together, and beside the next thing that
 * is read they are what an object dies of. Whoever calls it is the only one who has them.
 */
export function freeBuffer(...buffers: readonly ArrayBufferView[]): void {
  for (const { buffer } of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) detach(buffer);
}

/** Moving the bytes away detaches the buffer; nothing of what is moved is kept. Node 20 has no `transfer`: there the collector frees it. */
function detach(buffer: { transfer?: (length: number) => unknown }): void {
  buffer.transfer?.(0);
}
