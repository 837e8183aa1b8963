/** Times at the rim: Node's numbers are seconds, ours inside are integer microseconds. */
import { FsError } from "./errors.ts";
import type { Time } from "./filesystem.ts";

export function toMicroseconds(time: Time, syscall: string, path: string): number {
  const seconds = time instanceof Date ? time.getTime() / 1000 : typeof time === "string" ? parse(time) : time;
  const micros = Math.round(seconds * 1e6);
  if (typeof seconds !== "number" || !Number.isSafeInteger(micros)) {
    throw new FsError("EINVAL", { syscall, path, reason: "not a time" });
  }
  return micros;
}

function parse(text: string): number {
  return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : Date.parse(text) / 1000;
}
