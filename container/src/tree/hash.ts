/** SHA-256 of a file's bytes, with one megabyte in memory at a time; a large file yields to other work in between. */
import { createHash, hash } from "node:crypto";
import type { OpenedFile } from "../jail/read-file.ts";

const STEP = 1024 * 1024;

export function hashBytes(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

export function hashFile(file: OpenedFile): string {
  if (file.stat.size <= STEP) return hashBytes(file.read(0, file.stat.size + 1));
  const digest = createHash("sha256");
  for (const piece of filePieces(file)) digest.update(piece);
  return digest.digest("hex");
}

export async function hashWithYields(file: OpenedFile): Promise<string> {
  const digest = createHash("sha256");
  for (const piece of filePieces(file)) {
    digest.update(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return digest.digest("hex");
}

function* filePieces(file: OpenedFile): Generator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = file.read(at, STEP);
    if (piece.length === 0) return;
    yield piece;
    at += piece.length;
  }
}
