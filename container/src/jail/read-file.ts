/** Opens a file for reading. It does not follow links, block on a pipe, or open a file that the workspace does not own. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";
import type { Owner } from "./owner.ts";

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

export class OpenedFile implements Disposable {
  readonly fd: number;
  readonly stat: Stats;

  constructor(fd: number, stat: Stats) {
    this.fd = fd;
    this.stat = stat;
  }

  /** Returns the available bytes, up to `length`. */
  read(position: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = readSync(this.fd, buffer, filled, length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  restat(): Stats {
    return fstatSync(this.fd);
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}

/** Null if it is missing or is not a regular file of the owner. */
export function openFile(directory: DirectoryHandle, name: string, owner: Owner | null): OpenedFile | null {
  let fd: number;
  try {
    fd = openSync(directory.at(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    if (["ENOENT", "ELOOP", "ENXIO", "ENOTDIR", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? ""))
      return null;
    throw error;
  }
  const stat = fstatSync(fd);
  if (stat.isFile() && (owner === null || stat.uid === owner.uid)) return new OpenedFile(fd, stat);
  closeSync(fd);
  return null;
}
