/**
 * Gives large buffers back at once. As garbage they would stay until V8 has 64 MB of such together, and beside the next thing that
 * is read they are what an object dies of. Whoever calls it is the only one who has them.
 */
export function freeBuffer(...buffers: readonly ArrayBufferView[]): void {
  // Moving the bytes away detaches the buffer; of what is moved nothing is kept.
  for (const { buffer } of buffers) if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
