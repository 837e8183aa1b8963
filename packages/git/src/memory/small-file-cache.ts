/**
 * Cache of small files between commands: HEAD, refs, the configuration. Each hit is validated by the file system's
 * fingerprint, which changes with every writer. The bytes are shared and read-only.
 */
import type { FileSystem, Fingerprinted } from "@workspace/vfs";
import type { GitFileSystem } from "../host.ts";

/** Larger files and bulk reads bypass the cache. */
const MAX_FILE_BYTES = 16 * 1024;
const MAX_PATHS = 8;
const MAX_FILES = 256;

export class SmallFileCache {
  readonly #files = new Map<string, { readonly fingerprint: string; readonly bytes: Uint8Array }>();

  /** `fs`, with reads of a few small files served from the cache; `fs` itself if it has no fingerprints. */
  over(fs: GitFileSystem): GitFileSystem {
    const { fingerprints } = fs;
    if (fingerprints === undefined) return fs;
    return {
      ...fs,
      readMany: (paths) => (paths.length > MAX_PATHS ? fs.readMany(paths) : this.#read(fs, fingerprints, paths)),
    };
  }

  async #read(
    fs: FileSystem,
    fingerprints: Fingerprinted["fingerprints"],
    paths: readonly string[],
  ): Promise<(Uint8Array | null)[]> {
    const marks = await fingerprints(paths);
    const found: (Uint8Array | null)[] = [];
    const unknown: number[] = [];
    for (let i = 0; i < paths.length; i++) {
      const known = marks[i] === null ? undefined : this.#files.get(paths[i] as string);
      found.push(known !== undefined && known.fingerprint === marks[i] ? known.bytes : null);
      if (marks[i] !== null && found[i] === null) unknown.push(i);
    }
    if (unknown.length === 0) return found;
    const contents = await fs.readMany(unknown.map((i) => paths[i] as string));
    for (const [at, i] of unknown.entries()) {
      const bytes = contents[at] ?? null;
      found[i] = bytes;
      // If the file changed after the fingerprint, the content is newer than that: the next lookup sees another fingerprint
      // and reads again.
      if (bytes !== null) this.#keep(paths[i] as string, marks[i] as string, bytes);
    }
    return found;
  }

  #keep(path: string, fingerprint: string, bytes: Uint8Array): void {
    this.#files.delete(path);
    if (bytes.length > MAX_FILE_BYTES) return;
    if (this.#files.size >= MAX_FILES)
      for (const [oldest] of this.#files) {
        this.#files.delete(oldest);
        break;
      }
    this.#files.set(path, { fingerprint, bytes });
  }
}
