/** Decodes a program's output from the API's format: text, or base64 if it is not UTF-8. */
import type { OutputText } from "@workspace/worker/api";

export function outputBytes(value: OutputText): Uint8Array {
  return typeof value === "string" ? Buffer.from(value) : Buffer.from(value.base64, "base64");
}
