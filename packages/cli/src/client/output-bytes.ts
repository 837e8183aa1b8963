/** Output of a program as the API carries it: text, or base64 of what is not UTF-8. */
import type { OutputText } from "@workspace/worker/api";

export function outputBytes(value: OutputText): Uint8Array {
  return typeof value === "string" ? Buffer.from(value) : Buffer.from(value.base64, "base64");
}
