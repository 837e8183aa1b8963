/** Reads a local file of known size in chunks. Fails if the size has changed by then. */
import { open } from "node:fs/promises";
import { CliError } from "../cli-error.ts";

const CHUNK = 256 * 1024;

export async function* fileChunks(
  path: string,
  size: number,
  moved: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    let left = size;
    while (left > 0) {
      const buffer = new Uint8Array(Math.min(CHUNK, left));
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) throw changed(path);
      left -= bytesRead;
      moved(bytesRead);
      yield buffer.subarray(0, bytesRead);
    }
    if ((await file.read(new Uint8Array(1), 0, 1)).bytesRead > 0) throw changed(path);
  } finally {
    await file.close();
  }
}

function changed(path: string): CliError {
  return new CliError("ESTALE", `${path} changed while it was sent`, "Nothing of this request was written. Try again.");
}
