/**
 * Writes `.git/index` under its lock, in one piece. Before that, entries that were racy when they were read, and that nobody has
 * verified since, are compared with their files: the new index is younger than they are, so what the old one's age said of them
 * would be lost. One whose content is another gets size 0, as git does it ("smudged"), and is looked at the next time.
 */
import { createRunningHash } from "../hash/running-hash.ts";
import { type LockFile, lockFile } from "../lock-file.ts";
import type { Repository } from "../repository.ts";
import { secretlyModified } from "./compare-content.ts";
import type { IndexEntry } from "./index-entry.ts";
import type { IndexFile } from "./index-file.ts";
import { dependsOnEntries, isAsRead } from "./read-index.ts";
import { serializeIndex } from "./serialize-index.ts";

/** Taken before anything is changed; `writeIndex` with it ends it, else `release` must. */
export function lockIndex(repo: Pick<Repository, "host" | "indexPath">): Promise<LockFile> {
  return lockFile(repo.host, repo.indexPath);
}

/**
 * `index` must come from `readIndex` through an editor: an entry with the very `stat` object that was read is one nobody has looked
 * at since. `lock` as from `lockIndex`; without one it is taken here.
 */
export async function writeIndex(repo: Repository, index: IndexFile, lock?: LockFile): Promise<void> {
  const held = lock ?? (await lockIndex(repo));
  try {
    const entries = await smudgeRacy(repo, index);
    const extensions = isAsRead(index)
      ? index.extensions
      : index.extensions.filter(({ signature }) => !dependsOnEntries(signature));
    const bytes = serializeIndex({ ...index, entries, extensions }, { endOfEntries: wantsEndOfEntries(repo) });
    const hash = createRunningHash();
    hash.update(bytes.subarray(0, -20));
    bytes.set(hash.digest(), bytes.length - 20);
    await held.commit(bytes);
  } catch (error) {
    await held.release();
    throw error;
  }
}

function wantsEndOfEntries({ config }: Pick<Repository, "config">): boolean {
  const asked = config.getBool("index.recordendofindexentries");
  if (asked !== undefined) return asked;
  const threads = config.get("index.threads");
  return threads !== undefined && threads !== "1" && threads !== "false";
}

async function smudgeRacy(repo: Repository, index: IndexFile): Promise<readonly IndexEntry[]> {
  const { racy } = index;
  if (repo.workTree === null || racy === undefined || racy.size === 0) return index.entries;
  const suspects = index.entries.filter(({ stat }) => racy.has(stat));
  if (suspects.length === 0) return index.entries;
  const modified = new Set(await secretlyModified(repo, index.entries, suspects));
  if (modified.size === 0) return index.entries;
  return index.entries.map((entry) => (modified.has(entry) ? { ...entry, stat: { ...entry.stat, size: 0 } } : entry));
}
