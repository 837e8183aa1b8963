/**
 * Bytes that a message can carry. Cloning a view sends its whole buffer, a subclass arrives as another type, and shared memory
 * cannot be sent: such bytes are copied.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes;
  const isPlain = bytes.constructor === Uint8Array && buffer instanceof ArrayBuffer && !buffer.resizable;
  return isPlain && bytes.byteLength === buffer.byteLength ? bytes : new Uint8Array(bytes);
}
