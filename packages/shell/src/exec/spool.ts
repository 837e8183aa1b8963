/**
 * The file with all that a command printed, in the workspace's own directory under the root: agents read and grep it, git and sync
 * leave it alone. It is the only copy of long output, so what is read back is held against what was written.
 */
import { PRIVATE_DIRECTORY } from "@workspace/protocol";
import type { FileSystem } from "@workspace/vfs";
import { ShellError } from "../errors.ts";

/** Everything below ignores itself, this file included. */
const IGNORE_ALL = "*\n";

export function spoolPath(root: string, id: string): string {
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

  /** Where the bytes begin in the file. Whatever an earlier life wrote beyond what it recorded is overwritten. */
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
