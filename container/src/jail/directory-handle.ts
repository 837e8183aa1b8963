/**
 * A directory held open, so that what is done in it is done in this very directory, whatever a running command swaps for a symlink
 * meanwhile. Node has no `openat`; Linux gives the same by `/proc/self/fd/<n>/<name>`, where only the last name is looked up.
 * Every step from the root down is opened without following links, so no name can lead out.
 */
import { closeSync, constants, openSync } from "node:fs";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

export class DirectoryHandle implements Disposable {
  readonly fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  static root(path: string): DirectoryHandle {
    return new DirectoryHandle(openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  }

  /** The directory itself, for whoever lists it or works in it. */
  get path(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  at(name: string): string {
    return `/proc/self/fd/${this.fd}/${name}`;
  }

  /** Throws ENOENT, ENOTDIR, or for a symlink ELOOP or ENOTDIR. */
  enter(name: string): DirectoryHandle {
    return new DirectoryHandle(openSync(this.at(name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  }

  [Symbol.dispose](): void {
    closeSync(this.fd);
  }
}
