/** Converts times at the API boundary: Node's numbers are seconds, the internal ones integer microseconds. */
import { FsError } from "../api/errors.ts";
import type { Time } from "../api/file-system.ts";

export function toMicroseconds(time: Time, syscall: string, path: string): number {
  const seconds = time instanceof Date ? time.getTime() / 1000 : typeof time === "string" ? parse(time) : time;
  const micros = typeof seconds === "number" ? Math.round(seconds * 1e6) : Number.NaN;
  if (!Number.isSafeInteger(micros)) throw new FsError("EINVAL", { syscall, path, reason: "not a time" });
  return micros;
}

/** Converts a time as `utimes` accepts it: as in Node, a negative or non-finite number means now. */
export function timestampOf(time: Time, now: number, syscall: string, path: string): number {
  if (typeof time === "number" && !(time >= 0 && Number.isFinite(time))) return now;
  return toMicroseconds(time, syscall, path);
}

function parse(text: string): number {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000;
}
