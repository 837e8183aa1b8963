/**
 * Bytes as a message can carry them. Cloning a view sends all of the buffer behind it, a subclass arrives as another type, and
 * shared memory does not cross at all: such bytes are copied.
 */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  const { buffer } = bytes;
  const isPlain = bytes.constructor === Uint8Array && buffer instanceof ArrayBuffer && !buffer.resizable;
  return isPlain && bytes.byteLength === buffer.byteLength ? bytes : new Uint8Array(bytes);
}
