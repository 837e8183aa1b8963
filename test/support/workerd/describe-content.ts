/** A content in few characters, the same in Node and in workerd: all of a small one in base64, of a large one its start and its hash. */
import { createHash } from "node:crypto";

const WHOLE = 1000;

export function describeContent(bytes: Uint8Array): string {
  const start = btoa(String.fromCharCode(...bytes.subarray(0, WHOLE)));
  if (bytes.length <= WHOLE) return start;
  return `${start} ${bytes.length} ${createHash("sha256").update(bytes).digest("hex")}`;
}
