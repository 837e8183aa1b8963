/** The synced tree: its open root, its owner, and the manifest. One instance for the daemon's lifetime. */
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { DirectoryHandle } from "../jail/directory-handle.ts";
import { OpenDirectories } from "../jail/open-directories.ts";
import type { Owner } from "../jail/owner.ts";
import { Listings } from "./listings.ts";
import type { ManifestEntry } from "./manifest.ts";
import { Policy } from "./policy.ts";
import { TrackedFileCache } from "./tracked-files.ts";

export class Tree {
  readonly rootPath: string;
  readonly root: DirectoryHandle;
  readonly owner: Owner | null;
  readonly manifest = new Map<string, ManifestEntry>();
  readonly listings = new Listings();
  readonly tracked: TrackedFileCache;
  /** Offers of the workspace that were not applied because an entry that no scan has reported was in the way. */
  readonly unsynced = new Set<string>();
  /** Contents that arrive in pieces, and new files before their rename: on the same disk, out of reach of commands. */
  readonly staging: DirectoryHandle;
  scans = 0;
  #policy = new Policy("", 0);
  readonly #stagingPath: string;
  readonly #clock: number;
  #staged = 0;
  #named = { full: 0, paths: new Set<string>() };

  constructor(rootPath: string, owner: Owner | null) {
    this.rootPath = rootPath;
    this.owner = owner;
    this.tracked = new TrackedFileCache(owner);
    this.root = DirectoryHandle.root(rootPath);
    this.#stagingPath = join(dirname(rootPath), `.${basename(rootPath)}.workspaced-${process.pid}`);
    rmSync(this.#stagingPath, { recursive: true, force: true });
    mkdirSync(this.#stagingPath, { mode: 0o700 });
    this.staging = DirectoryHandle.root(this.#stagingPath);
    this.#clock = openSync(this.staging.at("clock"), "wx", 0o600);
  }

  /** The disk's own time, which stamps the entries: another clock may differ and says nothing about a tick here. */
  now(): number {
    fchmodSync(this.#clock, 0o600);
    return fstatSync(this.#clock).ctimeMs;
  }

  pins(): OpenDirectories {
    return new OpenDirectories(this.root, this.owner);
  }

  get policy(): Policy {
    return this.#policy;
  }

  /** Paths that the user's new rules exclude leave the manifest without counting as removed. */
  followPolicy({ text, defaults }: { text: string; defaults: number }): void {
    if (text === this.#policy.text && defaults === this.#policy.defaults) return;
    this.#policy = new Policy(text, defaults);
    for (const [path, { type }] of this.manifest)
      if (this.#policy.staysHere(path, type === "dir")) this.manifest.delete(path);
  }

  /** The paths that the full push with this number has named so far. */
  named(full: number): Set<string> {
    if (this.#named.full !== full) this.#named = { full, paths: new Set() };
    return this.#named.paths;
  }

  /** Directories that stay in the container have no listing; so more than twice the manifest means many stale listings. */
  tidyListings(): void {
    if (this.listings.size > 2 * this.manifest.size + 1000)
      this.listings.keepOnly((prefix) => prefix === "" || this.manifest.get(prefix.slice(0, -1))?.type === "dir");
  }

  /** A name for a new file in `staging`. */
  nextStaged(): string {
    return `n${++this.#staged}`;
  }

  close(): void {
    closeSync(this.#clock);
    rmSync(this.#stagingPath, { recursive: true, force: true });
    this.staging[Symbol.dispose]();
    this.root[Symbol.dispose]();
  }
}

/** An earlier tree has no valid manifest. It is moved beside the root, not removed; returns the new location. */
export function clearRoot(rootPath: string): string | undefined {
  // As bytes: names that are not valid text must be moved as well.
  const names = readdirSync(rootPath, { encoding: "buffer" });
  if (names.length === 0) return undefined;
  for (let n = 1; ; n++) {
    const aside = `${rootPath}.left-${n}`;
    try {
      mkdirSync(aside, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw error;
    }
    for (const name of names) renameSync(below(rootPath, name), below(aside, name));
    return aside;
  }
}

function below(directory: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${directory}/`), name]);
}

/** Directory and name of a path below the root. */
export function splitPath(path: string): [directory: string, name: string] {
  const slash = path.lastIndexOf("/");
  return [slash < 0 ? "" : path.slice(0, slash), path.slice(slash + 1)];
}
