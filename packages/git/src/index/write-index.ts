/**
 * Writes `.git/index` under its lock, in one piece. Before that, compares entries that were racy when read and are not verified
 * since with their files: the new index is newer than they are, so they would no longer be detected as racy. An entry whose content
 * differs gets size 0, as in git ("smudged"), and is checked the next time.
 */
import { createStreamingHash } from "../hash/streaming-hash.ts";
import { type LockFile, lockFile } from "../lock-file.ts";
import type { Repository } from "../repository.ts";
import { findRacilyModified } from "./compare-content.ts";
import type { IndexEntry } from "./index-entry.ts";
import type { IndexFile } from "./index-file.ts";
import { dependsOnEntries, isAsRead } from "./read-index.ts";
import { serializeIndex } from "./serialize-index.ts";

/** Taken before any change; `writeIndex` releases it, otherwise the caller must call `release`. */
export function lockIndex(repo: Pick<Repository, "host" | "indexPath">): Promise<LockFile> {
  return lockFile(repo.host, repo.indexPath);
}

/**
 * `index` must come from `readIndex` through an editor: an entry with the original `stat` object has not been verified since.
 * `lock` is from `lockIndex`; without one it is taken here.
 */
export async function writeIndex(repo: Repository, index: IndexFile, lock?: LockFile): Promise<void> {
  const retained = lock ?? (await lockIndex(repo));
  try {
    const { entries } = await markRacilyClean(repo, index);
    const extensions = isAsRead(index)
      ? index.extensions
      : index.extensions.filter(({ signature }) => !dependsOnEntries(signature));
    const version = index.version || defaultVersion(repo);
    const bytes = serializeIndex({ ...index, version, entries, extensions }, { endOfEntries: wantsEndOfEntries(repo) });
    const hash = createStreamingHash();
    hash.update(bytes.subarray(0, -20));
    bytes.set(hash.digest(), bytes.length - 20);
    await retained.commit(bytes);
  } catch (error) {
    await retained.release();
    throw error;
  }
}

/** git's default is 3, which becomes 2 where that suffices. */
const OWN_VERSION = 3;

function defaultVersion({ config, env, warn }: Repository): 2 | 3 | 4 {
  const input = env.GIT_INDEX_VERSION;
  const requested =
    input === undefined
      ? (config.getInt("index.version") ?? (config.getBool("feature.manyfiles") ? 4 : OWN_VERSION))
      : /^\s*\+?\d+$/.test(input)
        ? Number(input)
        : -1;
  if (requested === 2 || requested === 3 || requested === 4) return requested;
  const name = input === undefined ? "index.version" : "GIT_INDEX_VERSION";
  warn?.(`${name} set, but the value is invalid.\nUsing version ${OWN_VERSION}`);
  return OWN_VERSION;
}

function wantsEndOfEntries({ config }: Pick<Repository, "config">): boolean {
  const requested = config.getBool("index.recordendofindexentries");
  if (requested !== undefined) return requested;
  const threads = config.get("index.threads");
  return threads !== undefined && threads !== "1" && threads !== "false";
}

/** Compares racy entries with their files under the current attributes: for a command that is about to change these. */
export async function markRacilyClean(repo: Repository, index: IndexFile): Promise<IndexFile> {
  const { racy, ...settled } = index;
  if (repo.workTree === null || racy === undefined || racy.size === 0) return index;
  const suspects = index.entries.filter(({ stat }) => racy.has(stat));
  if (suspects.length === 0) return index;
  const modified = new Set(await findRacilyModified(repo, index.entries, suspects));
  if (modified.size === 0) return settled;
  const smudge = (entry: IndexEntry) => (modified.has(entry) ? { ...entry, stat: { ...entry.stat, size: 0 } } : entry);
  return { ...settled, entries: index.entries.map(smudge) };
}
