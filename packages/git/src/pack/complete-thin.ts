/** Completes a thin pack: appends the bases that the repository already has, and recomputes the checksum. */
import { crc32 } from "@workspace/archive";
import type { FileHandle } from "@workspace/vfs";
import { putOid } from "../hash/oid-words.ts";
import { createStreamingHash } from "../hash/streaming-hash.ts";
import type { Oid } from "../object/oid.ts";
import type { GitObject } from "../odb/object-database.ts";
import { deflate } from "../zlib/deflate.ts";
import { codeOfType, MAX_HEADER, putEntryHeader } from "./entry-header.ts";
import type { PackParser } from "./pack-parser.ts";
import { writeInFull } from "./write-in-full.ts";

/** Appends one base and adds it to the table; pending deltas find it by its id. */
export async function appendBase(intake: PackParser, file: FileHandle, oid: Oid, object: GitObject): Promise<void> {
  const { table, arena } = intake;
  if (table.count === table.capacity) table.grow(table.count + intake.byName.size);
  const row = table.count;
  const head = new Uint8Array(MAX_HEADER);
  const code = codeOfType(object.type);
  const length = putEntryHeader(head, 0, code, object.body.length);
  const body = deflate(object.body);
  // Overwrites the old checksum, the last twenty bytes.
  const offset = intake.position - 20;
  await writeInFull(file, head.subarray(0, length), offset);
  await writeInFull(file, body, offset + length);
  table.offset[row] = offset;
  table.size[row] = object.body.length;
  table.header[row] = length;
  table.type[row] = code;
  table.crc[row] = crc32(body, crc32(head, 0, 0, length));
  putOid(oid, table.names, row * 20);
  if (object.body.length <= arena.largest) {
    const position = arena.reserve(object.body.length);
    arena.bytes.set(object.body, arena.at(position));
    table.place[row] = position;
  }
  table.count = row + 1;
  intake.position += length + body.length;
}

/** Updates the object count and the checksum of an extended pack. */
export async function sealPack(intake: PackParser, file: FileHandle): Promise<Uint8Array> {
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, intake.table.count);
  await writeInFull(file, count, 8);
  const hash = createStreamingHash();
  const end = intake.position - 20;
  const { window } = intake;
  for (let at = 0; at < end; ) {
    const { bytesRead } = await file.read(window, 0, Math.min(window.length, end - at), at);
    if (bytesRead === 0) break;
    hash.update(window.subarray(0, bytesRead));
    at += bytesRead;
  }
  const checksum = hash.digest();
  await writeInFull(file, checksum, end);
  return checksum;
}
