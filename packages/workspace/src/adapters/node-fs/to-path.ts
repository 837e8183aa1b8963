/** Converts a path as Node accepts it (text, a Buffer or a `file:` URL) to text. */
import { FsError } from "@workspace/vfs";

export function toPath(path: unknown): string {
  if (typeof path === "string") return path;
  if (path instanceof Uint8Array) return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(path);
  if (path instanceof URL && path.protocol === "file:") return decodeURIComponent(path.pathname);
  throw new FsError("EINVAL", { reason: "a path must be a string, a Buffer or a file: URL" });
}
