/** Opens a file for reading without following a link, blocking on a pipe, or touching what is not the workspace's. */
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

  /** As many bytes as there are, up to `length`. */
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

/** Null when it is not there, or is no regular file of the owner's. */
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
