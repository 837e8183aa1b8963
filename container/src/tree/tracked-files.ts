/**
 * Lists the files that git tracks below directories that are not synced by default. They belong to the workspace, even if a command
 * created them (`git checkout`, `git add -f`). It runs git as the user of the commands, and runs it again only if git's index has
 * changed.
 */
import { execFile } from "node:child_process";
import { lstatSync } from "node:fs";
import type { OpenDirectories } from "../jail/open-directories.ts";
import type { Owner } from "../jail/owner.ts";
import { fingerprint, isRacy, type StatFingerprint, sameFingerprint } from "./manifest.ts";

/** Paths below the root, with all their parent directories. */
export interface TrackedFiles {
  has(path: string): boolean;
  /** The path is a submodule. */
  isSubmodule(path: string): boolean;
}

interface TrackedAnswer {
  index: StatFingerprint | null;
  key: string;
  files: TrackedFiles;
}

/** Beyond this many directories, lists all files of the repository instead. */
const MAX_PATHSPECS = 500;
const MAX_OUTPUT = 256 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const SUBMODULE = "160000";

export const NOTHING_TRACKED: TrackedFiles = { has: () => false, isSubmodule: () => false };

export class TrackedFileCache {
  readonly #owner: Owner | null;
  readonly #answers = new Map<string, TrackedAnswer>();

  constructor(owner: Owner | null) {
    this.#owner = owner;
  }

  /** `repository`: the directory that has `.git`. `directories` are below it, relative to the root. `now`: the disk's time. */
  async find(
    pins: OpenDirectories,
    repository: string,
    directories: readonly string[],
    now: number,
  ): Promise<TrackedFiles> {
    const pinned = pins.find(repository);
    if (pinned === null) return NOTHING_TRACKED;
    const index = looksOfIndex(pinned.at(".git"));
    const key = directories.join("\0");
    const known = this.#answers.get(repository);
    if (known?.key === key && index !== null && known.index !== null && sameFingerprint(index, known.index))
      return known.files;
    const prefix = repository === "" ? "" : `${repository}/`;
    const below = directories.length > MAX_PATHSPECS ? [] : directories.map((path) => path.slice(prefix.length));
    const output = await listFiles(pinned.path, below, this.#owner);
    // Git is missing or cannot read its index now: the last result stays valid.
    if (output === null) return known?.files ?? NOTHING_TRACKED;
    const files = parseFiles(output, prefix);
    this.#answers.set(repository, { index: index !== null && !isRacy(index, now) ? index : null, key, files });
    return files;
  }
}

/** Null if the index is elsewhere (`.git` is a file, of a work tree or a submodule) or missing: then git runs every time. */
function looksOfIndex(git: string): StatFingerprint | null {
  try {
    const stat = lstatSync(`${git}/index`, { throwIfNoEntry: false });
    return stat === undefined ? null : fingerprint(stat);
  } catch {
    return null;
  }
}

function listFiles(cwd: string, directories: readonly string[], owner: Owner | null): Promise<string | null> {
  const argv = ["--git-dir=.git", "--work-tree=.", "--literal-pathspecs", "-c", "core.fsmonitor=false"];
  const env = { PATH: process.env.PATH ?? "/usr/local/bin:/usr/bin:/bin", HOME: "/nonexistent", LC_ALL: "C" };
  const options = { cwd, env: { ...env, GIT_OPTIONAL_LOCKS: "0" }, maxBuffer: MAX_OUTPUT, timeout: TIMEOUT_MS };
  return new Promise((resolve) => {
    execFile(
      "git",
      [...argv, "ls-files", "-s", "-z", "--", ...directories],
      { ...options, ...(owner ?? {}) },
      (error, stdout) => resolve(error === null ? stdout : null),
    );
  });
}

/** Each is `mode oid stage\tpath`. */
function parseFiles(output: string, prefix: string): TrackedFiles {
  const paths = new Set<string>();
  const submodules = new Set<string>();
  for (const line of output.split("\0")) {
    const tab = line.indexOf("\t");
    if (tab < 0) continue;
    const path = prefix + line.slice(tab + 1);
    if (line.startsWith(SUBMODULE)) submodules.add(path);
    for (let at = path.length; at > 0 && !paths.has(path.slice(0, at)); at = path.lastIndexOf("/", at - 1))
      paths.add(path.slice(0, at));
  }
  return { has: (path) => paths.has(path), isSubmodule: (path) => submodules.has(path) };
}
