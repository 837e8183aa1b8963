/** Reads a whole archive: each entry as one line, or the code of the error that refused it. */
import { createWorkBudget } from "@workspace/protocol";
import { ArchiveBudget, ArchiveError, type ArchiveLimits, readTar, readZip } from "../src/index.ts";

export interface ReadOptions extends Partial<ArchiveLimits> {
  format?: "tar" | "zip";
  /** Bytes in each chunk of a tar. */
  chunk?: number;
}

export async function readAll(
  bytes: Uint8Array,
  { format = "tar", chunk = 65_536, unpackedBytes = 64 * 1024 * 1024, archiveEntries = 10_000 }: ReadOptions = {},
): Promise<{ lines: string[]; steps: number; longestStretch: number } | { refused: string; message: string }> {
  const work = createWorkBudget();
  const budget = new ArchiveBudget({ unpackedBytes, archiveEntries }, work);
  const read = async (start: number, length: number) => {
    if (start + length > bytes.length) throw new RangeError("read past the end");
    return bytes.subarray(start, start + length);
  };
  const entries =
    format === "tar" ? readTar(chunks(bytes, chunk), budget) : readZip({ size: bytes.length, read }, budget);
  const lines: string[] = [];
  try {
    for await (const entry of entries) {
      const detail =
        entry.type === "file" ? await text(entry.content) : entry.type === "copy" ? entry.of : (entry.target ?? "");
      lines.push(`${entry.type} ${entry.name} ${detail}`.trimEnd());
    }
  } catch (error) {
    if (error instanceof ArchiveError) return { refused: error.code, message: error.message };
    throw error;
  }
  return { lines, steps: work.used.steps, longestStretch: work.used.longestStretch };
}

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function text(content: Uint8Array | AsyncIterable<Uint8Array> = new Uint8Array()): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of content instanceof Uint8Array ? [content] : content) parts.push(part);
  return Buffer.concat(parts).toString("latin1");
}
