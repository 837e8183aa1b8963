/**
 * Stats every synced entry by its path from the root, which is the working directory meanwhile (`chdir`): a short path resolves
 * twice as fast. The walk never awaits, so no other code sees the working directory change. A command that replaces a directory
 * with a link during the walk can misdirect a stat. So names are read only through open directory handles, and a reported entry
 * comes from a second stat through such a handle or, for a file, is compared with the file that is read. Directories that match a
 * default rule wait until git has listed the files it tracks in them. In those, only what the workspace has and what git tracks is
 * checked: a `node_modules` of any size costs one stat, and a new listing when its names change.
 */
import { lstatSync, readlinkSync, type Stats } from "node:fs";
import { CONTAINER_ONLY_REASON, PRIVATE_DIRECTORY, SYNC_LIMITS } from "@workspace/protocol";
import type { OpenDirectories } from "../jail/open-directories.ts";
import type { DirectoryListing } from "./listings.ts";
import { entryKind, type ManifestEntry, sameFingerprint } from "./manifest.ts";
import { type Placement, placementIn } from "./placement.ts";
import { NOTHING_TRACKED, type TrackedFiles } from "./tracked-files.ts";
import { splitPath, type Tree } from "./tree.ts";
import { isUnreadable, skip, unfitness, type WalkResult } from "./walk-result.ts";

/** A directory to enter. */
interface WalkPlace {
  path: string;
  stat: Stats;
  depth: number;
  placement: Placement;
  /** The nearest parent directory that has `.git`; null: none. */
  repository: string | null;
}

const REPLACEMENT = "\ufffd";

export interface WalkOptions {
  /** Number of the scan. */
  number: number;
  maxEntries: number;
  /** The disk's time before the scan began. */
  now: number;
}

export async function walkTree(tree: Tree, options: WalkOptions): Promise<Walk> {
  const walk = new Walk(tree, options);
  walk.start();
  while (walk.waiting.length > 0) {
    const waiting = walk.waiting.splice(0);
    walk.enterRetained(waiting, await trackedIn(tree, waiting, options.now));
  }
  return walk;
}

/** By repository. */
async function trackedIn(tree: Tree, places: readonly WalkPlace[], now: number): Promise<Map<string, TrackedFiles>> {
  const found = new Map<string, TrackedFiles>();
  using pins = tree.pins();
  for (const [repository, inside] of Map.groupBy(places, (place) => place.repository)) {
    if (repository === null) continue;
    const directories = inside.map(({ path }) => path);
    found.set(repository, await tree.tracked.find(pins, repository, directories, now));
  }
  return found;
}

export class Walk {
  readonly walked: WalkResult = {
    entries: 0,
    bytes: 0,
    seen: 0,
    changed: [],
    skipped: [],
    unread: [],
    largest: { path: "", entries: 0 },
    looks: 0,
    retained: new Set(),
  };
  /** Directories that match a default rule, not entered yet. */
  readonly waiting: WalkPlace[] = [];
  readonly #tree: Tree;
  readonly #options: WalkOptions;
  #pins!: OpenDirectories;

  constructor(tree: Tree, options: WalkOptions) {
    this.#tree = tree;
    this.#options = options;
  }

  start(): void {
    this.#work(() =>
      this.#visit({ path: "", stat: lstatSync("."), depth: 0, placement: "synced", repository: null }, null),
    );
  }

  enterRetained(places: readonly WalkPlace[], tracked: ReadonlyMap<string, TrackedFiles>): void {
    this.#work(() => {
      for (const place of places) {
        if (this.#isOver) return;
        const files = tracked.get(place.repository ?? "") ?? NOTHING_TRACKED;
        const isAgreed = this.#tree.manifest.get(place.path)?.type === "dir";
        if (!isAgreed && !files.has(place.path)) this.#keep(place.path);
        else if (this.#look(place.path, place.stat)) this.#enterIn(place, files);
      }
    });
  }

  /** Checks these paths and their parent directories, which were skipped because they are not synced by default. */
  take(paths: ReadonlySet<string>): void {
    this.#work(() => {
      for (const path of [...paths].sort()) {
        if (this.#isOver) return;
        const stat = this.#tree.manifest.has(path) ? undefined : this.#stat(path, `${splitPath(path)[0]}/`);
        if (stat !== undefined && stat !== "astray") this.#look(path, stat);
      }
    });
  }

  /** Runs in the root, where paths are short, with open directory handles. */
  #work(body: () => void): void {
    process.chdir(this.#tree.root.path);
    try {
      using pins = this.#tree.pins();
      this.#pins = pins;
      body();
    } finally {
      process.chdir("/");
    }
  }

  get #isOver(): boolean {
    return this.walked.entries > this.#options.maxEntries;
  }

  #isSynced(path: string, tracked: TrackedFiles): boolean {
    return this.#tree.manifest.has(path) || tracked.has(path);
  }

  #keep(path: string, reason: string = CONTAINER_ONLY_REASON): void {
    if (path === PRIVATE_DIRECTORY) return;
    this.walked.retained.add(path);
    skip(this.walked, path, this.#tree.unsynced.has(path) ? `${reason}, and in the way of the workspace's` : reason);
  }

  /** `tracked`: in a container-only directory, the files that git tracks there. */
  #enter(place: WalkPlace, tracked: TrackedFiles | null): void {
    const { walked } = this;
    const before = walked.entries;
    if (place.depth + 1 > SYNC_LIMITS.depth) skip(walked, place.path, `deeper than ${SYNC_LIMITS.depth} directories`);
    else this.#visit(place, tracked);
    if (place.depth === 1 && walked.entries - before > walked.largest.entries)
      walked.largest = { path: place.path, entries: walked.entries - before };
  }

  #visit(
    { path: directory, stat, depth, placement, repository: above }: WalkPlace,
    tracked: TrackedFiles | null,
  ): void {
    const prefix = directory === "" ? "" : `${directory}/`;
    const listing = this.#tree.listings.find(prefix, stat) ?? this.#read(prefix);
    if (listing === null) return;
    for (const path of listing.unfit) skip(this.walked, path, "the name is not UTF-8");
    const directories: WalkPlace[] = [];
    let repository = above;
    let retained = 0;
    for (const path of listing.paths) {
      if (this.#isOver) return;
      const isSynced = tracked === null || this.#isSynced(path, tracked);
      if (!isSynced && !this.#tree.unsynced.has(path)) {
        retained++;
        continue;
      }
      const found = this.#stat(path, prefix);
      if (found === "astray") return;
      if (found === undefined) continue;
      // A command created a file where the workspace now has one: both remain. A directory stays, whatever it contains.
      if (!isSynced && entryKind(found.mode) === "dir") {
        this.#keep(path);
        continue;
      }
      if (path.length === prefix.length + 4 && path.endsWith(".git")) repository = directory;
      const inside = entryKind(found.mode) === "dir" ? placementIn(this.#tree, path, placement) : placement;
      const waits = tracked === null && inside === "container-only" && !this.#tree.policy.staysHere(path, true);
      if (waits || this.#look(path, found))
        directories.push({ path, stat: found, depth: depth + 1, placement: inside, repository: null });
    }
    if (retained > 0) this.#keep(directory, `${CONTAINER_ONLY_REASON}: ${retained} names in it that commands created`);
    for (const place of directories) {
      if (this.#isOver) return;
      place.repository = repository;
      if (place.placement !== "container-only") this.#enter(place, null);
      else if (tracked !== null) this.#enterIn(place, tracked);
      else this.waiting.push(place);
    }
  }

  /** A submodule is its own repository, even if the workspace does not have its `.git` yet. */
  #enterIn(place: WalkPlace, tracked: TrackedFiles): void {
    if (tracked.isSubmodule(place.path)) this.#enter({ ...place, placement: "synced" }, null);
    else this.#enter(place, tracked);
  }

  #read(prefix: string): DirectoryListing | null {
    const path = prefix.slice(0, -1);
    try {
      const directory = this.#pins.find(path);
      if (directory !== null) return this.#tree.listings.read(prefix, directory, this.#options.now);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      if (code !== "ENOENT") skip(this.walked, path, "the directory cannot be read");
    }
    // Removed or replaced since it was listed: the next scan sees the new state, and until then nothing below counts as removed.
    this.walked.unread.push(prefix);
    return null;
  }

  /** `astray`: it is no longer a directory, or may not be entered. */
  #stat(path: string, prefix: string): Stats | undefined | "astray" {
    this.walked.looks++;
    try {
      return lstatSync(path, { throwIfNoEntry: false });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined || !["ENOTDIR", "ELOOP", "EACCES", "EPERM"].includes(code)) throw error;
      if (code[1] !== "N") skip(this.walked, prefix.slice(0, -1), "the directory cannot be read");
      this.walked.unread.push(prefix);
      return "astray";
    }
  }

  /** Returns whether it is a directory to enter. */
  #look(path: string, stat: Stats): boolean {
    const tree = this.#tree;
    const { walked } = this;
    const type = entryKind(stat.mode);
    const known = tree.manifest.get(path);
    if (type === null) {
      if (!tree.policy.staysHere(path, false)) skip(walked, path, "neither file, directory nor symlink");
      return false;
    }
    // Entries in the manifest are synced; matching each against the rules would take as long as the stat.
    if (known === undefined || known.type !== type) {
      if (tree.policy.staysHere(path, type === "dir")) {
        this.#keep(path);
        return false;
      }
      const unfit = unfitness(path, stat, tree.owner);
      if (unfit !== null) {
        skip(walked, path, unfit);
        return false;
      }
    }
    walked.entries++;
    if (type === "file") walked.bytes += stat.size;
    if (known !== undefined && known.type === type) {
      if (known.seen !== this.#options.number) walked.seen++;
      known.seen = this.#options.number;
      if (type === "dir" ? known.mode === stat.mode : !known.racy && sameFingerprint(known, stat))
        return type === "dir";
    }
    if (type === "file" && isUnreadable(stat)) {
      skip(walked, path, "the daemon may not read it");
      return false;
    }
    if (type === "file") {
      walked.changed.push({ path, type, stat, target: null, known });
      return false;
    }
    return this.#lookAgain(path, type, known);
  }

  /**
   * Stats a directory or symlink through its parent's handle: the stat is all that is reported, so it must be from inside the tree.
   */
  #lookAgain(path: string, type: "dir" | "symlink", known: ManifestEntry | undefined): boolean {
    const [directory, name] = splitPath(path);
    const parent = this.#pins.find(directory);
    const stat = parent === null ? undefined : lstatSync(parent.at(name), { throwIfNoEntry: false });
    // Changed a moment ago: the next scan sees the new state.
    if (parent === null || stat === undefined || entryKind(stat.mode) !== type) {
      if (type === "dir") this.walked.unread.push(`${path}/`);
      return false;
    }
    const target = type === "symlink" ? readTarget(parent.at(name)) : null;
    if (type === "symlink" && target === null) return false;
    if (target?.includes(REPLACEMENT)) {
      skip(this.walked, path, "the link's target is not UTF-8");
      return false;
    }
    this.walked.changed.push({ path, type, stat, target, known });
    return type === "dir";
  }
}

/** Null if it is no longer a link: the next scan sees the new state. */
function readTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
