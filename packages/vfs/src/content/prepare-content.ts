/**
 * Converts any writable content to bytes ready to commit. Text and bytes that fit one row are used as they are, without an await.
 * Anything larger or of unknown size goes through a spool, so that at most one row of it is in memory.
 */

import { FsError } from "../api/errors.ts";
import type { Content, TextEncodingName } from "../api/file-system.ts";
import { encodeText } from "../node-args/encoding.ts";
import type { VolumeStore } from "../volume/views.ts";
import { type PreparedContent, Spool } from "./spool.ts";

export interface CollectOptions {
  encoding?: TextEncodingName;
  signal?: AbortSignal;
  syscall: string;
  path: string;
}

export function prepareContent(
  volume: VolumeStore,
  content: Content,
  options: CollectOptions,
): PreparedContent | Promise<PreparedContent> {
  const whole = contentBytes(content, options);
  if (whole === null) return collectStream(volume, content, options);
  if (whole.length > volume.limits.fileBytes) throw tooLarge(options);
  if (whole.length <= volume.limits.rowBytes) return { kind: "bytes", bytes: whole };
  using spool = new Spool(volume.ensureOpen());
  const step = volume.limits.rowBytes;
  for (let at = 0; at < whole.length; at += step) spool.push(whole.subarray(at, at + step));
  return spool.finish();
}

function contentBytes(content: unknown, options: CollectOptions): Uint8Array | null {
  if (typeof content === "string") return encodeText(content, options.encoding, options.syscall, options.path);
  if (content instanceof Uint8Array) return content;
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  if (ArrayBuffer.isView(content)) return new Uint8Array(content.buffer, content.byteOffset, content.byteLength);
  if (isStream(content)) return null;
  throw new FsError("EINVAL", { ...at(options), reason: "content must be text, bytes or a stream of them" });
}

/** Whether a content is available at once, and not a stream. */
export function isWhole(content: unknown): boolean {
  return typeof content === "string" || content instanceof ArrayBuffer || ArrayBuffer.isView(content);
}

async function collectStream(volume: VolumeStore, content: Content, options: CollectOptions): Promise<PreparedContent> {
  using spool = new Spool(volume.ensureOpen());
  const source = content as AsyncIterable<unknown>;
  const { signal } = options;
  for await (const chunk of signal === undefined ? source : untilAborted(source, signal, options)) {
    const bytes = contentBytes(chunk, options);
    if (bytes === null)
      throw new FsError("EINVAL", { ...at(options), reason: "a stream of streams cannot be written" });
    // In slices: one huge chunk must not be copied whole.
    for (let i = 0; i < bytes.length; i += volume.limits.rowBytes)
      spool.push(bytes.subarray(i, i + volume.limits.rowBytes));
    if (spool.size > volume.limits.fileBytes) throw tooLarge(options);
  }
  return spool.finish();
}

/** The chunks of a stream. Fails as soon as the signal fires, even if the source never yields another chunk. */
async function* untilAborted(
  source: AsyncIterable<unknown> | Iterable<unknown>,
  signal: AbortSignal,
  options: CollectOptions,
) {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  let fail: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    fail = () => reject(new FsError("ABORT_ERR", { ...at(options), cause: signal.reason }));
  });
  aborted.catch(() => {});
  signal.addEventListener("abort", fail);
  if (signal.aborted) fail();
  let ended = false;
  try {
    while (!ended) {
      const next = await Promise.race([aborted, iterator.next()]);
      ended = next.done === true;
      if (!ended) yield next.value;
    }
    if (signal.aborted) await aborted;
  } finally {
    signal.removeEventListener("abort", fail);
    // Not awaited: a stalled source would not answer.
    if (!ended) Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

function isStream(content: unknown): boolean {
  return (
    typeof content === "object" && content !== null && (Symbol.asyncIterator in content || Symbol.iterator in content)
  );
}

function at({ syscall, path }: CollectOptions) {
  return { syscall, path };
}

function tooLarge(options: CollectOptions): FsError {
  return new FsError("EFBIG", at(options));
}
