/**
 * Bytes with one owner. Freeing a buffer detaches every view of it, so only the owner of the whole buffer may do that. The type
 * carries the proof: `allocate`, `copyBytes` and `ownBuffer` make it, and a `subarray` or `slice` of it is a plain `Uint8Array` again.
 */
declare const owned: unique symbol;

export type OwnedBytes = Uint8Array<ArrayBuffer> & { readonly [owned]: true };

export function allocate(length: number): OwnedBytes {
  return new Uint8Array(length) as OwnedBytes;
}

/** A copy of bytes that have another owner. `bytes.slice()` is not always one: the `slice` of Node's `Buffer` is a view. */
export function copyBytes(bytes: Uint8Array): OwnedBytes {
  return new Uint8Array(bytes) as OwnedBytes;
}

/** Takes ownership of a buffer that was made for this caller only, such as a column of a row. */
export function ownBuffer(buffer: ArrayBuffer): OwnedBytes {
  return new Uint8Array(buffer) as OwnedBytes;
}

/** Smaller buffers are not worth the call. */
const MIN_FREED = 4 * 1024;

/** Frees the memory at once. As garbage it would stay until V8 has 64 MB of it. The bytes cannot be read afterwards. */
export function freeBytes({ buffer }: OwnedBytes): void {
  if (buffer.byteLength >= MIN_FREED && !buffer.detached) buffer.transfer(0);
}
