/** SHA-256 of a file's bytes, a megabyte in memory at a time; of a large one so that others have their turn in between. */
import { createHash, hash } from "node:crypto";
import type { OpenedFile } from "../jail/read-file.ts";

const STEP = 1024 * 1024;

export function hashBytes(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

export function hashFile(file: OpenedFile): string {
  if (file.stat.size <= STEP) return hashBytes(file.read(0, file.stat.size + 1));
  const digest = createHash("sha256");
  for (let at = 0; ; ) {
    const piece = file.read(at, STEP);
    if (piece.length === 0) return digest.digest("hex");
    digest.update(piece);
    at += piece.length;
  }
}

export async function hashSlowly(file: OpenedFile): Promise<string> {
  const digest = createHash("sha256");
  for (let at = 0; ; ) {
    const piece = file.read(at, STEP);
    if (piece.length === 0) return digest.digest("hex");
    digest.update(piece);
    at += piece.length;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
