/** Writes `.idx` version 2 from the object table, byte for byte as `git index-pack` does. */
import { GitError } from "../errors.ts";
import { compareOidBytes } from "../hash/oid-words.ts";
import { createStreamingHash } from "../hash/streaming-hash.ts";
import { oidFromBytes } from "../object/oid.ts";
import type { ObjectTable } from "./object-table.ts";

/** Size of a piece. */
const PIECE = 256 * 1024;
const FAR = 2 ** 31;

/** Memory held during the write. */
export const sortingBytes = (count: number) => 4 * count + 2 * 4 * 65536 + PIECE;

/** Yields pieces; each is valid until the next is requested. */
export async function* writePackIndex(table: ObjectTable, packChecksum: Uint8Array): AsyncGenerator<Uint8Array> {
  const order = sortByName(table);
  const piece = new Uint8Array(PIECE);
  const view = new DataView(piece.buffer);
  const hash = createStreamingHash();
  let at = 0;
  const flush = () => {
    const created = piece.subarray(0, at);
    hash.update(created);
    at = 0;
    return created;
  };
  view.setUint32(0, 0xff744f63);
  view.setUint32(4, 2);
  fanOut(table, order, view, 8);
  at = 8 + 1024;
  for (const row of order) {
    if (at + 20 > PIECE) yield flush();
    // Byte by byte: a view for each id would be garbage.
    for (let i = row * 20; i < row * 20 + 20; i++) piece[at++] = table.names[i] as number;
  }
  for (const row of order) {
    if (at + 4 > PIECE) yield flush();
    view.setUint32(at, table.crc[row] as number);
    at += 4;
  }
  const far: number[] = [];
  for (const row of order) {
    if (at + 4 > PIECE) yield flush();
    const offset = table.offset[row] as number;
    view.setUint32(at, offset < FAR ? offset : FAR + far.length);
    if (offset >= FAR) far.push(offset);
    at += 4;
  }
  for (const offset of far) {
    if (at + 8 > PIECE) yield flush();
    view.setUint32(at, Math.floor(offset / 2 ** 32));
    view.setUint32(at + 4, offset % 2 ** 32);
    at += 8;
  }
  if (at + 40 > PIECE) yield flush();
  piece.set(packChecksum, at);
  at += 20;
  yield flush();
  yield hash.digest();
}

function fanOut(table: ObjectTable, order: Uint32Array, view: DataView, at: number): void {
  let row = 0;
  for (let byte = 0; byte < 256; byte++) {
    while (row < order.length && (table.names[(order[row] as number) * 20] as number) <= byte) row++;
    view.setUint32(at + 4 * byte, row);
  }
}

/** Distributes by the first two bytes into buckets, then sorts each bucket. Refuses duplicate ids. */
function sortByName({ names, count }: ObjectTable): Uint32Array {
  const key = (row: number) => ((names[row * 20] as number) << 8) | (names[row * 20 + 1] as number);
  const ends = new Uint32Array(65536);
  for (let row = 0; row < count; row++) (ends[key(row)] as number)++;
  for (let i = 1; i < 65536; i++) ends[i] = (ends[i] as number) + (ends[i - 1] as number);
  const order = new Uint32Array(count);
  const free = ends.slice();
  for (let row = count - 1; row >= 0; row--) order[--(free[key(row)] as number)] = row;
  for (let i = 0, from = 0; i < 65536; i++) {
    const to = ends[i] as number;
    if (to - from > 1) sortBucket(names, order, from, to);
    from = to;
  }
  for (let i = 1; i < count; i++) {
    const [a, b] = [order[i - 1] as number, order[i] as number];
    if (compareOidBytes(names, a * 20, names, b * 20) === 0)
      throw new GitError("ECORRUPT", `The same object ${oidFromBytes(names, a * 20)} appears twice in the pack`);
  }
  return order;
}

/** Insertion sort: a bucket has few ids unless the pack has millions, and nothing is allocated. */
function sortBucket(names: Uint8Array, order: Uint32Array, from: number, to: number): void {
  if (to - from > 64) {
    order.subarray(from, to).sort((a, b) => compareOidBytes(names, a * 20, names, b * 20));
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const row = order[i] as number;
    let at = i;
    for (; at > from && compareOidBytes(names, (order[at - 1] as number) * 20, names, row * 20) > 0; at--)
      order[at] = order[at - 1] as number;
    order[at] = row;
  }
}
