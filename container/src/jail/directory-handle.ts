/**
 * An open directory: operations happen in this directory even if a running command replaces it with a symlink. Node has no
 * `openat`; Linux offers the same through `/proc/self/fd/<n>/<name>`, which resolves only the last name. Every step from the root
 * down is opened without following links, so no name can escape the root.
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

  /** Path of the directory itself, to list it or to use it as working directory. */
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
