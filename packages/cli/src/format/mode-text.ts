/** Formats a mode as `ls` does: `-rwxr-xr-x`. */
import type { EntryTypeName } from "@workspace/worker/api";

const TYPES: Record<EntryTypeName, string> = { file: "-", directory: "d", symlink: "l" };

export function modeText(type: EntryTypeName, mode: number): string {
  const bits = [...(mode & 0o777).toString(2).padStart(9, "0")];
  return TYPES[type] + bits.map((bit, at) => (bit === "1" ? "rwx"[at % 3] : "-")).join("");
}
