/** Permission bits as Node accepts them: a number, or an octal string. */
import { FsError } from "../api/errors.ts";

export function parseMode(mode: unknown, fallback: number, syscall: string, path: string): number {
  if (mode === undefined || mode === null) return fallback;
  const value = typeof mode === "string" && /^[0-7]+$/.test(mode) ? Number.parseInt(mode, 8) : mode;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > 0xffffffff) {
    throw new FsError("EINVAL", { syscall, path, reason: `not a mode: ${String(mode)}` });
  }
  return value & 0o7777;
}
