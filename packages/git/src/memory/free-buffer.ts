/**
 * Frees large buffers at once. As garbage they would stay until V8 has 64 MB of them, which can exceed a Durable Object's memory.
 * The caller must be the only owner.
 */
export function freeBuffer(...buffers: readonly ArrayBufferView[]): void {
  for (const { buffer } of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) detach(buffer);
}

/**
 * Transferring the bytes detaches the buffer; the copy is dropped. Node 20 has no `transfer`: there the garbage collector frees it.
 */
function detach(buffer: { transfer?: (length: number) => unknown }): void {
  buffer.transfer?.(0);
}
