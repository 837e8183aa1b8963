/** The synced tree: its root held open, whose it is, and what was agreed on. One for the daemon's life. */
import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Owner } from "../jail/owner.ts";
import { PinnedDirectory } from "../jail/pinned-directory.ts";
import { Pins } from "../jail/pins.ts";
import type { Known } from "./manifest.ts";
import { Policy } from "./policy.ts";

export class Tree {
  readonly rootPath: string;
  readonly root: PinnedDirectory;
  readonly owner: Owner | null;
  readonly manifest = new Map<string, Known>();
  /** Offered by the workspace and not taken over, because something unseen was in the way. */
  readonly behind = new Set<string>();
  /** Contents that arrive in pieces, and new files before they get their name: on the same disk, out of every command's reach. */
  readonly staging: PinnedDirectory;
  readonly now: () => number;
  policy = new Policy("");
  scans = 0;
  readonly #stagingPath: string;
  #staged = 0;
  #named = { full: 0, paths: new Set<string>() };

  constructor(rootPath: string, owner: Owner | null, now: () => number = Date.now) {
    this.rootPath = rootPath;
    this.owner = owner;
    this.now = now;
    this.root = PinnedDirectory.root(rootPath);
    this.#stagingPath = join(dirname(rootPath), `.${basename(rootPath)}.workspaced-${process.pid}`);
    rmSync(this.#stagingPath, { recursive: true, force: true });
    mkdirSync(this.#stagingPath, { mode: 0o700 });
    this.staging = PinnedDirectory.root(this.#stagingPath);
  }

  pins(): Pins {
    return new Pins(this.root, this.owner);
  }

  /** The paths that the push of everything with this number has named so far. */
  named(full: number): Set<string> {
    if (this.#named.full !== full) this.#named = { full, paths: new Set() };
    return this.#named.paths;
  }

  /** A name for a new file in `staging`. */
  nextStaged(): string {
    return `n${++this.#staged}`;
  }

  close(): void {
    rmSync(this.#stagingPath, { recursive: true, force: true });
    this.staging[Symbol.dispose]();
    this.root[Symbol.dispose]();
  }
}

/** An earlier tree is nobody's base any more. It is moved beside the root, not removed; returns where to. */
export function clearRoot(rootPath: string): string | undefined {
  const names = readdirSync(rootPath);
  if (names.length === 0) return undefined;
  for (let n = 1; ; n++) {
    const aside = `${rootPath}.left-${n}`;
    try {
      mkdirSync(aside, { mode: 0o700 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") continue;
      throw error;
    }
    for (const name of names) renameSync(join(rootPath, name), join(aside, name));
    return aside;
  }
}

/** Directory and name of a path below the root. */
export function splitPath(path: string): [directory: string, name: string] {
  const slash = path.lastIndexOf("/");
  return [slash < 0 ? "" : path.slice(0, slash), path.slice(slash + 1)];
}
