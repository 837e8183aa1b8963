/**
 * Stores large contents that arrive in pieces and writes each piece at its offset. Pieces may repeat and may arrive in any order,
 * but must not overlap otherwise. An interrupted upload resumes. There are at most `MAX` uploads, which is enough for one sync;
 * a new one evicts the oldest.
 */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs";
import { OpenedFile } from "../jail/read-file.ts";
import { RunningHash } from "./running-hash.ts";
import type { Tree } from "./tree.ts";

const MAX = 64;
const NOTHING = new Uint8Array(0);

interface PartialUpload {
  name: string;
  file: OpenedFile;
  size: number;
  hash: RunningHash;
  pieces: Map<number, number>;
}

export class PartialUploads {
  readonly #tree: Tree;
  readonly #arriving = new Map<string, PartialUpload>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns the length of the gapless prefix received so far. */
  put(key: string, size: number, offset: number, piece: Uint8Array): number {
    let arriving = this.#arriving.get(key);
    if (arriving === undefined || arriving.size !== size) {
      if (arriving !== undefined) this.#drop(key);
      if (this.#arriving.size >= MAX) this.#drop(this.#arriving.keys().next().value as string);
      const name = this.#tree.nextStaged();
      const { O_RDWR, O_CREAT, O_EXCL } = constants;
      const fd = openSync(this.#tree.staging.at(name), O_RDWR | O_CREAT | O_EXCL, 0o600);
      const file = new OpenedFile(fd, fstatSync(fd));
      arriving = { name, file, size, hash: new RunningHash(size), pieces: new Map() };
      this.#arriving.set(key, arriving);
    }
    const { file, hash, pieces } = arriving;
    for (let at = 0; at < piece.length; ) at += writeSync(file.fd, piece, at, piece.length - at, offset + at);
    if (piece.length > 0) pieces.set(offset, piece.length);
    const here = contiguous(arriving);
    // A piece behind a gap waits for the pieces before it.
    if (here < offset + piece.length) return here;
    const read = (position: number, length: number) => file.read(position, length);
    hash.add(offset, piece, read);
    hash.add(here, NOTHING, read);
    return here;
  }

  /** The complete content, as a file in `staging` that the caller now owns. */
  take(key: string, size: number): { name: string; hash: string } | null {
    const arriving = this.#arriving.get(key);
    if (arriving === undefined || arriving.size !== size || contiguous(arriving) < size) return null;
    this.#arriving.delete(key);
    ftruncateSync(arriving.file.fd, size);
    closeSync(arriving.file.fd);
    return arriving.hash.hex === null ? null : { name: arriving.name, hash: arriving.hash.hex };
  }

  #drop(key: string): void {
    const arriving = this.#arriving.get(key);
    if (arriving === undefined) return;
    this.#arriving.delete(key);
    closeSync(arriving.file.fd);
    unlinkSync(this.#tree.staging.at(arriving.name));
  }
}

function contiguous({ pieces }: PartialUpload): number {
  let at = 0;
  for (let length = pieces.get(at); length !== undefined; length = pieces.get(at)) at += length;
  return at;
}
