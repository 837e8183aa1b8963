/**
 * Gives the bytes of a row back at once, when they have been copied: as garbage they would stay until V8 has 64 MB of such together.
 * Only for a buffer that nobody else has. Small ones are not worth the call.
 */
const WORTH = 4 * 1024;

export function freeBuffer({ buffer }: Uint8Array): void {
  if (buffer.byteLength >= WORTH && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
}
