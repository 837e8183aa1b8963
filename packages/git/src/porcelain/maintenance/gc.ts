/** `git gc`: packs refs, packs reachable objects into one pack, removes old unreachable objects. */
import { parseExpiry } from "../../date/approxidate.ts";
import type { LocalTime } from "../../date/local-time.ts";
import { GitError } from "../../errors.ts";
import type { ObjectSource } from "../../odb/git-object-database.ts";
import { asGitDatabase } from "../../odb/write-pack.ts";
import { packRefs } from "../../refs/pack-refs.ts";
import { isPrecious } from "../../repository/repository-format.ts";
import type { Repository } from "../../repository.ts";
import { peelTags } from "../../revision/peel.ts";
import { everyReflog, expireReflog, usualExpiry } from "../expire-reflog.ts";
import { prune } from "./prune.ts";
import { type Repacked, repack } from "./repack.ts";

const AUTO_LOOSE = 6700;
const AUTO_PACKS = 50;

export interface GcOptions {
  /** Removes unreachable objects before this, in seconds; null: none. Default two weeks ago, by `gc.pruneExpire`. */
  readonly pruneBefore?: number | null;
  readonly aggressive?: boolean;
}

/** Null: no object may be deleted here, and none was packed. */
export async function gc(repo: Repository, time: LocalTime, options: GcOptions = {}): Promise<Repacked | null> {
  const before = options.pruneBefore === undefined ? usualPruneExpiry(repo, time) : options.pruneBefore;
  if (repo.config.getBool("gc.packrefs") ?? true)
    await packRefs({ ...repo, peel: (oid) => peelTags(repo, oid) }, { all: true });
  await expireReflogs(repo, time);
  if (isPrecious(repo)) return null;
  const dropsAll = before === Number.POSITIVE_INFINITY;
  const repacked = await repack(repo, {
    all: dropsAll ? true : "keep-unreachable",
    removes: true,
    anew: options.aggressive,
    unreachableSince: before ?? 0,
  }).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    const hint = `${error.hint ?? ""}fatal: failed to run repack\n`;
    throw new GitError(error.code, error.message, { hint, exitCode: 128, cause: error });
  });
  if (before !== null) await prune(repo, { before });
  return repacked;
}

function usualPruneExpiry({ config }: Repository, time: LocalTime): number | null {
  return expiryOf(config.get("gc.pruneexpire") ?? "2.weeks.ago", time);
}

/** Does nothing if both limits are "never", even if some refs have their own. */
async function expireReflogs(repo: Repository, time: LocalTime): Promise<void> {
  const limits = ["gc.reflogexpire", "gc.reflogexpireunreachable"].map((key) => repo.config.get(key));
  if (limits.every((text) => text !== undefined && parseExpiry(text, time) === 0)) return;
  for (const { repo: position, name } of await everyReflog(repo)) {
    const { retained, all } = await expireReflog(position, name, usualExpiry(repo, name, time));
    if (retained.length < all.length) await position.refs.writeReflog(name, retained);
  }
}

/** Null: never. */
export function expiryOf(text: string, time: LocalTime): number | null {
  const before = parseExpiry(text, time);
  if (before === null) throw new GitError("EINVAL", `failed to parse prune expiry value ${text}`);
  return before === 0 ? null : before;
}

/** Whether `gc --auto` has work to do: many loose objects, estimated from one directory, or many packs. */
export async function needsGc(repo: Repository): Promise<boolean> {
  const max = repo.config.getInt("gc.auto") ?? AUTO_LOOSE;
  if (max <= 0) return false;
  const own = (await asGitDatabase(repo.odb).sources())[0] as ObjectSource;
  let loose = 0;
  for await (const _ of own.loose.list("17")) loose++;
  if (loose > Math.ceil(max / 256)) return true;
  const mostPacks = repo.config.getInt("gc.autopacklimit") ?? AUTO_PACKS;
  return mostPacks > 0 && (await own.packs.packs()).length > mostPacks;
}
