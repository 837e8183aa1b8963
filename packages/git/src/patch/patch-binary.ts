/** A binary file as a patch: both directions, each deflated and written in base 85, whole or as a delta, whichever is smaller. */

import { createDelta } from "../pack/create-delta.ts";
import { deflate } from "../zlib/deflate.ts";
import type { OutputBuffer } from "./output-buffer.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
/** Bytes on a line. */
const LINE = 52;

export function writeBinaryPatch(
  sink: OutputBuffer,
  before: Uint8Array,
  after: Uint8Array,
  { linePrefix = "", level = 1 } = {},
): void {
  sink.text(`${linePrefix}GIT binary patch\n`);
  writeHalf(sink, before, after, linePrefix, level);
  writeHalf(sink, after, before, linePrefix, level);
}

function writeHalf(sink: OutputBuffer, from: Uint8Array, to: Uint8Array, linePrefix: string, level: number): void {
  const whole = deflate(to, level);
  const delta = from.length > 0 && to.length > 0 ? createDelta(from, to, whole.length) : null;
  const short = delta && deflate(delta, level);
  const takesDelta = short !== null && short.length < whole.length;
  sink.text(`${linePrefix}${takesDelta ? `delta ${delta?.length}` : `literal ${to.length}`}\n`);
  const data = takesDelta ? short : whole;
  for (let at = 0; at < data.length; at += LINE) {
    const part = data.subarray(at, at + LINE);
    const length = part.length <= 26 ? 64 + part.length : 96 + part.length - 26;
    sink.text(`${linePrefix}${String.fromCharCode(length)}${encode85(part)}\n`);
  }
  sink.text(`${linePrefix}\n`);
}

/** Four bytes to five digits, the last group padded with zeros. */
function encode85(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0;
    for (let i = 0; i < 4; i++) value = value * 256 + (bytes[at + i] ?? 0);
    let group = "";
    for (let i = 0; i < 5; i++) {
      group = DIGITS[value % 85] + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}
