/** Writes all bytes, repeating partial writes. */
import type { FileHandle } from "@workspace/vfs";

export async function writeInFull(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at);
    at += bytesWritten;
  }
}
