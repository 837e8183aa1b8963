/** The workspace's tree as the container sees it: paths relative to the root, resolved without following symlinks. */
import type { FileStat, FileSystem } from "@workspace/vfs";

export class SyncTree {
  readonly fs: FileSystem;
  readonly #prefix: string;
  /** Whether a path is a directory, with only directories above it. */
  readonly #directories = new Map<string, boolean>();

  constructor(fs: FileSystem, root: string) {
    this.fs = fs;
    this.#prefix = root === "/" ? "" : root;
  }

  absolute(path: string): string {
    return path === "" ? this.#prefix || "/" : `${this.#prefix}/${path}`;
  }

  /** Null for a path that is not below the root. */
  relative(path: string): string | null {
    if (path === this.#prefix || path === "/") return path === (this.#prefix || "/") ? "" : null;
    return path.startsWith(`${this.#prefix}/`) ? path.slice(this.#prefix.length + 1) : null;
  }

  async lookup(path: string): Promise<FileStat | null> {
    return (await this.isDirectory(dirname(path))) ? this.#lstat(path) : null;
  }

  async isDirectory(path: string): Promise<boolean> {
    if (path === "") return true;
    const known = this.#directories.get(path);
    if (known !== undefined) return known;
    const is = (await this.isDirectory(dirname(path))) && (await this.#lstat(path))?.type === "dir";
    this.#directories.set(path, is);
    return is;
  }

  /** Everything below a directory, parents first; one page of each directory in memory at a time. */
  async *walk(
    directory: string,
    enter: (path: string, isDirectory: boolean) => boolean,
  ): AsyncGenerator<[string, FileStat]> {
    let after: string | undefined;
    for (;;) {
      const page = await this.#scan(directory, after);
      for (const { name, stat } of page) {
        const path = directory === "" ? name : `${directory}/${name}`;
        if (!enter(path, stat.type === "dir")) continue;
        yield [path, stat];
        if (stat.type === "dir") yield* this.walk(path, enter);
      }
      if (page.length < PAGE) return;
      after = page.at(-1)?.name;
    }
  }

  async #scan(directory: string, after: string | undefined) {
    try {
      return await this.fs.scan(this.absolute(directory), { limit: PAGE, ...(after === undefined ? {} : { after }) });
    } catch (error) {
      // Removed meanwhile: the log has that.
      if (["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "")) return [];
      throw error;
    }
  }

  async #lstat(path: string): Promise<FileStat | null> {
    try {
      return await this.fs.lstat(this.absolute(path));
    } catch (error) {
      if (["ENOENT", "ENOTDIR"].includes((error as { code?: string }).code ?? "")) return null;
      throw error;
    }
  }
}

const PAGE = 1000;

export function dirname(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
