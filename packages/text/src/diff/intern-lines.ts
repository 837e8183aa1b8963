/**
 * Gives equal lines equal numbers, so that later steps compare integers. Numbers follow the order of first occurrence, the old text
 * before the new one; the histogram algorithm's table depends on that order.
 */
import type { TextLines } from "../text-lines.ts";

export interface InternedLines {
  readonly old: Int32Array;
  readonly new: Int32Array;
  /** Number of distinct lines. */
  readonly classes: number;
}

/**
 * Chosen once per isolate at first use: a text crafted to collide under one seed does not collide under another. Results never
 * depend on it.
 */
let seed = 0;

export function internLines(oldLines: TextLines, newLines: TextLines): InternedLines {
  if (seed === 0) seed = (Math.random() * 0x7fffffff) | 1;
  const table = new LineTable(oldLines.count + newLines.count);
  return { old: table.add(oldLines), new: table.add(newLines), classes: table.size };
}

class LineTable {
  size = 0;
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** For each class: its hash and the position of its first line. */
  readonly #hashes: Int32Array;
  readonly #texts: TextLines[] = [];
  readonly #textOf: Uint8Array;
  readonly #lineOf: Int32Array;

  constructor(lines: number) {
    let slots = 16;
    while (slots < lines * 2) slots *= 2;
    this.#slots = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#hashes = new Int32Array(lines);
    this.#textOf = new Uint8Array(lines);
    this.#lineOf = new Int32Array(lines);
  }

  add(text: TextLines): Int32Array {
    const which = this.#texts.push(text) - 1;
    const ids = new Int32Array(text.count);
    for (let i = 0; i < text.count; i++) ids[i] = this.#find(text, which, i);
    return ids;
  }

  #find(text: TextLines, which: number, line: number): number {
    const start = text.starts[line] as number;
    const end = text.starts[line + 1] as number;
    const hash = hashBytes(text.bytes, start, end);
    let slot = hash & this.#mask;
    for (let id = this.#slots[slot] as number; id !== 0; id = this.#slots[slot] as number) {
      if (this.#hashes[id - 1] === hash && this.#equals(id - 1, text.bytes, start, end)) return id - 1;
      slot = (slot + 1) & this.#mask;
    }
    const id = this.size++;
    this.#slots[slot] = id + 1;
    this.#hashes[id] = hash;
    this.#textOf[id] = which;
    this.#lineOf[id] = line;
    return id;
  }

  #equals(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const text = this.#texts[this.#textOf[id] as number] as TextLines;
    const line = this.#lineOf[id] as number;
    const from = text.starts[line] as number;
    if ((text.starts[line + 1] as number) - from !== end - start) return false;
    for (let i = start, j = from; i < end; i++, j++) if (bytes[i] !== text.bytes[j]) return false;
    return true;
  }
}

function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = seed ^ (end - start);
  for (let i = start; i < end; i++) {
    hash = Math.imul(hash ^ (bytes[i] as number), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  return hash ^ (hash >>> 13);
}
