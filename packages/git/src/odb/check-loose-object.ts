/**
 * Checks a loose object's file for `fsck`: whether it inflates to exactly what its header declares, its type, and its actual id.
 * Reads through a bounded window; reports errors in git's words.
 */

import { createStreamingHash } from "../hash/streaming-hash.ts";
import { type Oid, oidFromBytes } from "../object/oid.ts";
import { decode } from "../text/bytes.ts";
import { inflatePrefix } from "../zlib/inflate.ts";
import { InflateError, MIN_ROOM } from "../zlib/inflater.ts";
import { acquireInflater, returnInflater } from "../zlib/inflater-pool.ts";
import type { GitObjectDatabase } from "./git-object-database.ts";

type Examined =
  | { readonly kind: "whole"; readonly type: string; readonly name: Oid; readonly body: Uint8Array | null }
  /** Error lines before "object corrupt or missing". */
  | { readonly kind: "corrupt"; readonly faults: readonly string[] };

const REACH = 32 * 1024;
const ROOM = REACH + 128 * 1024;
const STEP = 128 * 1024;
const MAX_HEADER = 48;

interface Head {
  readonly type: string;
  readonly size: number;
  readonly length: number;
}

/** `displayed`: the path in messages. The body is null if it is too large to hold. */
export async function checkLooseObject(
  { fs, limits }: Pick<GitObjectDatabase, "fs" | "limits">,
  oid: Oid,
  path: string,
  displayed: string,
): Promise<Examined> {
  const { size: fileSize } = await fs.stat(path);
  if (fileSize === 0)
    return corrupt(`object file ${displayed} is empty`, `unable to mmap ${displayed}: No such file or directory`);
  const room = new Uint8Array(ROOM);
  const hash = createStreamingHash();
  const inflater = acquireInflater();
  let head: Head | null = null;
  let body: Uint8Array | null = null;
  let produced = 0;
  let at = 0;
  let out = 0;
  const contents = (...faults: string[]) => corrupt(...faults, `unable to unpack contents of ${displayed}`);
  try {
    for (;;) {
      const bytes = await fs.readRange(path, at, STEP);
      const status = inflater.inflate(bytes, 0, bytes.length, room, out, ROOM, 0);
      const piece = room.subarray(out, inflater.outputAt);
      at += inflater.inputAt;
      out = inflater.outputAt;
      hash.update(piece);
      if (head === null) {
        head = parseHead(piece);
        if (head === null) return corrupt(`unable to unpack header of ${displayed}`);
        if (head.size <= limits.wholeObject) body = new Uint8Array(head.size);
        if (piece.length > head.length + head.size) return contents(`corrupt loose object '${oid}'`);
        body?.set(piece.subarray(head.length));
      } else {
        if (produced + piece.length > head.length + head.size) return contents(`corrupt loose object '${oid}'`);
        body?.set(piece, produced - head.length);
      }
      produced += piece.length;
      if (status === "done") break;
      if (status === "input" && inflater.inputAt === 0 && piece.length === 0)
        return contents(`corrupt loose object '${oid}'`);
      if (status !== "output") continue;
      room.copyWithin(0, out - REACH, out);
      out = REACH;
    }
  } catch (error) {
    if (!(error instanceof InflateError)) throw error;
    const inflating = `inflate: data stream error (${error.message})`;
    // Output before the error is lost with the call; the first call has the header.
    const isHeader = head === null && !(await startsWell(fs, path));
    return isHeader
      ? corrupt(inflating, `unable to unpack header of ${displayed}`)
      : contents(inflating, `corrupt loose object '${oid}'`);
  } finally {
    returnInflater(inflater);
  }
  if (produced !== head.length + head.size) return contents(`corrupt loose object '${oid}'`);
  if (at !== fileSize) return contents(`garbage at end of loose object '${oid}'`);
  return { kind: "whole", type: head.type, name: oidFromBytes(hash.digest()), body };
}

function corrupt(...faults: string[]): Examined {
  return { kind: "corrupt", faults };
}

function parseHead(bytes: Uint8Array): Head | null {
  const end = bytes.subarray(0, MAX_HEADER).indexOf(0);
  const [, type, size] = /^([a-z-]+) (0|[1-9]\d{0,14})$/.exec(decode(bytes.subarray(0, Math.max(0, end)))) ?? [];
  return type === undefined ? null : { type, size: Number(size), length: end + 1 };
}

/** Only the header is readable. */
async function startsWell(fs: GitObjectDatabase["fs"], path: string): Promise<boolean> {
  const bytes = await fs.readRange(path, 0, STEP);
  const head = new Uint8Array(MAX_HEADER + MIN_ROOM);
  try {
    return parseHead(head.subarray(0, inflatePrefix(bytes, 0, head))) !== null;
  } catch (error) {
    if (error instanceof InflateError) return false;
    throw error;
  }
}
