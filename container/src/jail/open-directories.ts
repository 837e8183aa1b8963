/** The directory handles of one operation: opened on first use, closed together. */
import { fchmodSync, fchownSync, mkdirSync } from "node:fs";
import type { DirectoryHandle } from "./directory-handle.ts";
import type { Owner } from "./owner.ts";

/** Maximum number of open handles; beyond it handles are closed and reopened. */
const MAX = 256;

export class OpenDirectories implements Disposable {
  readonly #root: DirectoryHandle;
  readonly #owner: Owner | null;
  readonly #open = new Map<string, DirectoryHandle>();

  constructor(root: DirectoryHandle, owner: Owner | null) {
    this.#root = root;
    this.#owner = owner;
  }

  /** The directory at a path below the root ("" is the root); null if it is missing or a parent is not a directory. */
  find(path: string): DirectoryHandle | null {
    try {
      return this.#walk(path, false);
    } catch (error) {
      if (["ENOENT", "ENOTDIR", "ELOOP"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
      throw error;
    }
  }

  /** The same, but creates missing directories. */
  make(path: string): DirectoryHandle {
    return this.#walk(path, true);
  }

  /** Invalidates a path that was removed or replaced. */
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

  /** Closes other handles, but not those of `path` and its parents, which are in use. */
  #drop(path: string): void {
    for (const [known, directory] of this.#open) {
      if (path.startsWith(`${known}/`)) continue;
      directory[Symbol.dispose]();
      this.#open.delete(known);
    }
  }
}
