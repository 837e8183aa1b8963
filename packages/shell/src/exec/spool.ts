/**
 * The file with a command's full output, in the workspace's private directory under the root: agents read and grep it, git and sync
 * ignore it. It is the only copy of long output, so reads verify it against what was written.
 */
import { PRIVATE_DIRECTORY } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import { ShellError } from "../errors.ts";

/** Ignores everything below, this file included. */
const IGNORE_ALL = "*\n";

function spoolPath(root: string, id: string): string {
  return `${spoolDirectory(root)}/${id}.log`;
}

function spoolDirectory(root: string): string {
  return `${root === "/" ? "" : root}/${PRIVATE_DIRECTORY}/exec`;
}

export class Spool {
  readonly path: string;
  readonly #fs: FileSystem;
  readonly #root: string;
  #size: number;

  constructor(fs: FileSystem, root: string, id: string, size: number) {
    this.#fs = fs;
    this.#root = root;
    this.#size = size;
    this.path = spoolPath(root, id);
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the offset of the bytes in the file. Overwrites unrecorded bytes from before an eviction. */
  async append(bytes: Uint8Array): Promise<number> {
    const at = this.#size;
    if (at === 0) await this.#begin();
    const handle = await this.#fs.open(this.path, at === 0 ? "w" : "r+");
    try {
      await handle.write(bytes, 0, bytes.length, at);
    } finally {
      await handle.close();
    }
    this.#size = at + bytes.length;
    return at;
  }

  async read(at: number, length: number): Promise<Uint8Array> {
    const gone = (cause?: unknown) =>
      new ShellError("EIO", `the output of this execution was kept in "${this.path}", which was changed since`, {
        cause,
      });
    let bytes: Uint8Array;
    try {
      bytes = await this.#fs.readRange(this.path, at, length);
    } catch (cause) {
      throw gone(cause);
    }
    if (bytes.length !== length) throw gone();
    return bytes;
  }

  async remove(): Promise<void> {
    await this.#fs.rm(this.path, { force: true });
  }

  async #begin(): Promise<void> {
    await this.#fs.mkdir(spoolDirectory(this.#root), { recursive: true });
    const ignore = `${this.#root === "/" ? "" : this.#root}/${PRIVATE_DIRECTORY}/.gitignore`;
    if (!(await this.#fs.exists(ignore))) await this.#fs.writeFile(ignore, IGNORE_ALL);
  }
}
