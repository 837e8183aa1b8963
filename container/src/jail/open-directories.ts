/** Directories of one piece of work, opened when they are first needed and closed together. */
import { fchmodSync, fchownSync, mkdirSync } from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";
import type { Owner } from "./owner.ts";

/** Open at a time; more of them are closed and opened again. */
const MAX = 256;

export class OpenDirectories implements Disposable {
  readonly #root: DirectoryHandle;
  readonly #owner: Owner | null;
  readonly #open = new Map<string, DirectoryHandle>();

  constructor(root: DirectoryHandle, owner: Owner | null) {
    this.#root = root;
    this.#owner = owner;
  }

  /** The directory at a path below the root, "" for the root; null when it is not there, or something on the way is no directory. */
  find(path: string): DirectoryHandle | null {
    try {
      return this.#walk(path, false);
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
      throw error;
    }
  }

  /** The same; what is missing is made. */
  make(path: string): DirectoryHandle {
    return this.#walk(path, true);
  }

  /** What is known of a path may be wrong now: it was removed or replaced. */
  forget(path: string): void {
    for (const [known, directory] of this.#open) {
      if (known !== path && !known.startsWith(`${path}/`)) continue;
      directory[Symbol.dispose]();
      this.#open.delete(known);
    }
  }

  [Symbol.dispose](): void {
    for (const directory of this.#open.values()) directory[Symbol.dispose]();
    this.#open.clear();
  }

  #walk(path: string, make: boolean): DirectoryHandle {
    if (path === "") return this.#root;
    const known = this.#open.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    const above = this.#walk(slash < 0 ? "" : path.slice(0, slash), make);
    if (this.#open.size >= MAX) this.#drop(path);
    const directory = make ? this.#enterOrMake(above, name) : above.enter(name);
    this.#open.set(path, directory);
    return directory;
  }

  #enterOrMake(above: DirectoryHandle, name: string): DirectoryHandle {
    try {
      return above.enter(name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    mkdirSync(above.at(name), 0o755);
    const created = above.enter(name);
    fchmodSync(created.fd, 0o755);
    if (this.#owner !== null) fchownSync(created.fd, this.#owner.uid, this.#owner.gid);
    return created;
  }

  /** Keeps those on the way to `path`: they are in use. */
  #drop(path: string): void {
    for (const [known, directory] of this.#open) {
      if (path.startsWith(`${known}/`)) continue;
      directory[Symbol.dispose]();
      this.#open.delete(known);
    }
  }
}
