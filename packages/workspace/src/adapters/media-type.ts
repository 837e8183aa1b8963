/** Media types by file name, for files that models read directly. Everything else is text or bytes, by its content. */
const MEDIA: Record<string, string> = {
  gif: "image/gif",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  pdf: "application/pdf",
  png: "image/png",
  wav: "audio/wav",
  webp: "image/webp",
};

export const BINARY = "application/octet-stream";

export function mediaType(path: string): string | null {
  return MEDIA[path.slice(path.lastIndexOf(".") + 1).toLowerCase()] ?? null;
}

/** The text of a file, or null when its bytes are not UTF-8 text. */
export function textOfFile(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
