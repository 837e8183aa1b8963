/**
 * git's lock files: `x.lock` is created exclusively, written, and renamed to `x`. With an epoch (a Durable Object) the lock
 * contains a line that names it, so that a lock of a dead incarnation is recognized and removed; one transaction then replaces the
 * content and removes the lock. Without an epoch, a lock stays until it is removed by hand, as git's.
 */

import { GitError } from "./errors.ts";
import type { GitHost } from "./host.ts";
import { decode } from "./text/bytes.ts";

export interface LockFile {
  /** The file it guards. */
  readonly path: string;
  /** Commits the new content and releases the lock. */
  commit(content: Uint8Array | string, options?: { mode?: number }): Promise<void>;
  /** Releases the lock without a change. */
  release(): Promise<void>;
}

const MARK = "workspace-epoch ";

/** Throws ELOCKED with git's text if the lock is held; creates parent directories. */
export async function lockFile(host: Pick<GitHost, "fs" | "epoch">, path: string): Promise<LockFile> {
  const lock = `${path}.lock`;
  await createLock(host, lock);
  let retained = true;
  const drop = async () => {
    if (!retained) return;
    retained = false;
    await host.fs.rm(lock, { force: true });
  };
  return {
    path,
    async commit(content, { mode } = {}) {
      retained = false;
      if (host.epoch !== undefined) {
        await host.fs.writeMany([
          { path, content, ...(mode === undefined ? {} : { mode }) },
          { path: lock, type: "remove" },
        ]);
        return;
      }
      try {
        await host.fs.writeFile(lock, content);
        if (mode !== undefined) await host.fs.chmod(lock, mode);
        await host.fs.rename(lock, path);
      } catch (error) {
        await host.fs.rm(lock, { force: true });
        throw error;
      }
    },
    release: drop,
  };
}

/** Locks many files at once: all or none. */
export async function lockFiles(
  host: Pick<GitHost, "fs" | "epoch">,
  paths: readonly string[],
): Promise<() => Promise<void>> {
  const created: string[] = [];
  const release = async () => {
    if (created.length === 0) return;
    const locks = created.splice(0);
    if (host.epoch !== undefined) await host.fs.writeMany(locks.map((path) => ({ path, type: "remove" as const })));
    else for (const lock of locks) await host.fs.rm(lock, { force: true });
  };
  try {
    for (const path of paths) {
      await createLock(host, `${path}.lock`);
      created.push(`${path}.lock`);
    }
  } catch (error) {
    await release();
    throw error;
  }
  return release;
}

async function createLock({ fs, epoch }: Pick<GitHost, "fs" | "epoch">, lock: string): Promise<void> {
  const content = epoch === undefined ? "" : `${MARK}${epoch}\n`;
  // Retries twice, for a missing directory or a stale lock; a third failure is final.
  for (let attempt = 0; ; attempt++) {
    try {
      await fs.writeFile(lock, content, { flag: "wx" });
      return;
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (attempt < 2 && code === "ENOENT") {
        await fs.mkdir(lock.slice(0, lock.lastIndexOf("/")), { recursive: true });
        continue;
      }
      if (attempt < 2 && code === "EEXIST" && epoch !== undefined && (await isStale(fs, lock, epoch))) {
        await fs.rm(lock, { force: true });
        continue;
      }
      throw lockError(lock, code, error);
    }
  }
}

async function isStale(fs: GitHost["fs"], lock: string, epoch: string): Promise<boolean> {
  try {
    const text = decode(await fs.readRange(lock, 0, MARK.length + 200));
    if (!text.startsWith(MARK)) return false;
    return text.slice(MARK.length).split("\n")[0] !== epoch;
  } catch (error) {
    return (error as { code?: string }).code === "ENOENT";
  }
}

function lockError(lock: string, code: string | undefined, cause: unknown): GitError {
  if (code === "EEXIST") {
    return new GitError("ELOCKED", `Unable to create '${lock}': File exists.\n\n${ANOTHER}`, { cause });
  }
  return new GitError("ELOCKED", `Unable to create '${lock}': ${errnoText(code)}`, { cause });
}

const ANOTHER = `Another git process seems to be running in this repository, e.g.
an editor opened by 'git commit'. Please make sure all processes
are terminated then try again. If it still fails, a git process
may have crashed in this repository earlier:
remove the file manually to continue.`;

/** The C library's messages for the codes that git shows. */
export function errnoText(code: string | undefined): string {
  const texts: Record<string, string> = {
    EACCES: "Permission denied",
    EEXIST: "File exists",
    EISDIR: "Is a directory",
    ENOENT: "No such file or directory",
    ENOTDIR: "Not a directory",
    ENOTEMPTY: "Directory not empty",
    EPERM: "Operation not permitted",
    EROFS: "Read-only file system",
    ENOSPC: "No space left on device",
    ENAMETOOLONG: "File name too long",
    ELOOP: "Too many levels of symbolic links",
    EINVAL: "Invalid argument",
  };
  return texts[code ?? ""] ?? code ?? "Unknown error";
}
