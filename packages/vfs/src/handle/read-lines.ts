/** `FileHandle.readLines`: the lines of a file, one chunk in memory at a time, with the line ends of Node's `readline`. */
import { FsError, throwIfAborted } from "../api/errors.ts";
import type { FileHandle, ReadLinesOptions } from "../api/file-handle.ts";

const CHUNK = 64 * 1024;
/** In UTF-16 units: a longer line is not text. */
const MAX_LINE = 64 * 1024 * 1024;

export async function* readLines(
  file: Pick<FileHandle, "read" | "close">,
  options: ReadLinesOptions,
  path: string,
): AsyncGenerator<string> {
  const { autoClose = true, signal } = options;
  try {
    let rest = "";
    for await (const text of readText(file, options, path)) {
      throwIfAborted(signal, "read", path);
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)|\u2028|\u2029/);
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE) throw new FsError("EFBIG", { syscall: "read", path, reason: "a line is too long" });
      yield* lines;
    }
    // A lone carriage return at the very end ends a line.
    if (rest.endsWith("\r")) yield rest.slice(0, -1);
    else if (rest !== "") yield rest;
  } finally {
    if (autoClose) await file.close();
  }
}

async function* readText(
  file: Pick<FileHandle, "read">,
  { start, end = Number.POSITIVE_INFINITY, highWaterMark = CHUNK, signal }: ReadLinesOptions,
  path: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
  const chunk = new Uint8Array(highWaterMark);
  // With `start`, `end` counts from the beginning of the file; without, from the handle's position.
  let left = end + 1 - (start ?? 0);
  let position = start ?? null;
  while (left > 0) {
    throwIfAborted(signal, "read", path);
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, left), position);
    if (bytesRead === 0) break;
    left -= bytesRead;
    if (position !== null) position += bytesRead;
    yield decoder.decode(chunk.subarray(0, bytesRead), { stream: true });
  }
  yield decoder.decode();
}
