/**
 * Large contents on their way in, piece by piece, each written where it belongs: pieces may come twice and in any order. Only as
 * many as one sync needs are kept; what is left of an interrupted one goes on where it was.
 */
import { closeSync, constants, ftruncateSync, openSync, unlinkSync, writeSync } from "node:fs";
import { openFile } from "../jail/read-file.ts";
import { hashFile } from "./hash.ts";
import type { Tree } from "./tree.ts";

const MOST = 64;

interface Arriving {
  name: string;
  fd: number;
  size: number;
  pieces: Map<number, number>;
}

export class Staged {
  readonly #tree: Tree;
  readonly #arriving = new Map<string, Arriving>();

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  /** Returns how much of the content is here without a gap, from its start. */
  put(key: string, size: number, offset: number, piece: Uint8Array): number {
    let arriving = this.#arriving.get(key);
    if (arriving === undefined || arriving.size !== size) {
      if (arriving !== undefined) this.#drop(key);
      if (this.#arriving.size >= MOST) this.#drop(this.#arriving.keys().next().value as string);
      const name = this.#tree.nextStaged();
      const { O_RDWR, O_CREAT, O_EXCL } = constants;
      const fd = openSync(this.#tree.staging.at(name), O_RDWR | O_CREAT | O_EXCL, 0o600);
      arriving = { name, fd, size, pieces: new Map() };
      this.#arriving.set(key, arriving);
    }
    for (let at = 0; at < piece.length; ) at += writeSync(arriving.fd, piece, at, piece.length - at, offset + at);
    if (piece.length > 0) arriving.pieces.set(offset, piece.length);
    return contiguous(arriving);
  }

  /** The complete content, as a file in `staging` that is the caller's from now on. */
  take(key: string, size: number): { name: string; hash: string } | null {
    const arriving = this.#arriving.get(key);
    if (arriving === undefined || arriving.size !== size || contiguous(arriving) < size) return null;
    this.#arriving.delete(key);
    ftruncateSync(arriving.fd, size);
    closeSync(arriving.fd);
    using file = openFile(this.#tree.staging, arriving.name, null);
    return file === null ? null : { name: arriving.name, hash: hashFile(file) };
  }

  #drop(key: string): void {
    const arriving = this.#arriving.get(key);
    if (arriving === undefined) return;
    this.#arriving.delete(key);
    closeSync(arriving.fd);
    unlinkSync(this.#tree.staging.at(arriving.name));
  }
}

function contiguous({ pieces }: Arriving): number {
  let at = 0;
  for (let length = pieces.get(at); length !== undefined; length = pieces.get(at)) at += length;
  return at;
}
