/**
 * Stats of work tree paths, with one scan per directory. A path below a link or a file does not exist, wherever the link leads:
 * nothing is ever read, written or removed through a link.
 */
import type { FileStat } from "@workspace/vfs";
import type { Ignores } from "../ignore/ignores.ts";
import type { Repository } from "../repository.ts";

export type WorkRepository = Repository & { readonly workTree: string };

export class WorkTreeStats {
  /** The ignore rules, once a path needs them. */
  ignores: Promise<Ignores> | undefined;
  readonly #repo: WorkRepository;
  /** By directory, "" the top; null: no such directory. */
  readonly #scans = new Map<string, ReadonlyMap<string, FileStat> | null>();

  constructor(repo: WorkRepository) {
    this.#repo = repo;
  }

  async statOf(path: string): Promise<FileStat | null> {
    const slash = path.lastIndexOf("/");
    const directory = await this.#scan(slash < 0 ? "" : path.slice(0, slash));
    return directory?.get(path.slice(slash + 1)) ?? null;
  }

  /** Result of `statOf` if its directory is cached; undefined: call `statOf`. */
  peek(path: string): FileStat | null | undefined {
    const slash = path.lastIndexOf("/");
    const directory = this.#scans.get(slash < 0 ? "" : path.slice(0, slash));
    return directory === undefined ? undefined : (directory?.get(path.slice(slash + 1)) ?? null);
  }

  /** The file or link above the path that blocks its creation; null: none. */
  async obstacle(path: string): Promise<string | null> {
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
      const above = path.slice(0, slash);
      const stat = await this.statOf(above);
      if (stat === null) return null;
      if (stat.type !== "dir") return above;
    }
    return null;
  }

  /** Names with their stats; null: not a directory. */
  async entriesOf(directory: string): Promise<ReadonlyMap<string, FileStat> | null> {
    return this.#scan(directory);
  }

  /** Invalidates the cache: something was written. */
  forget(): void {
    this.#scans.clear();
  }

  async #scan(directory: string): Promise<ReadonlyMap<string, FileStat> | null> {
    const known = this.#scans.get(directory);
    if (known !== undefined) return known;
    const found = await this.#read(directory);
    this.#scans.set(directory, found);
    return found;
  }

  async #read(directory: string): Promise<ReadonlyMap<string, FileStat> | null> {
    if (directory !== "" && (await this.statOf(directory))?.type !== "dir") return null;
    const { fs, workTree } = this.#repo;
    try {
      const entries = await fs.scan(directory === "" ? workTree : `${workTree}/${directory}`);
      return new Map(entries.map(({ name, stat }) => [name, stat]));
    } catch (error) {
      if ((error as { code?: string }).code === "ENOENT") return null;
      throw error;
    }
  }
}
