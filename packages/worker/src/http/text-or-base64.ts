/** A command's output bytes: as text if they are UTF-8, otherwise in base64. */
import type { OutputText } from "../api/git.ts";
import { toBase64 } from "./base64url.ts";

export function textOrBase64(bytes: Uint8Array): OutputText {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { base64: toBase64(bytes) };
  }
}
