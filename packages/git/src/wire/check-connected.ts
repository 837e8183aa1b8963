/** Connectivity check before a ref may point to fetched objects: everything it reaches is here, or was reachable before. */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { reachableObjects } from "../revision/reachable-objects.ts";

const BATCH = 1000;

/**
 * With `tipsOnly` nothing else is checked: a partial clone lacks the rest on purpose, and a pack may be known to be self-contained.
 * `refsAreWhole` is false if the boundary of a shallow repository moves: refs then reach more than before.
 */
export async function checkConnected(
  repo: Repository,
  tips: readonly Oid[],
  tipsOnly: boolean,
  refsAreWhole = true,
): Promise<void> {
  await mustHave(repo, tips);
  if (tipsOnly) return;
  const known = refsAreWhole ? (await repo.refs.list()).map(({ oid }) => oid) : [];
  let blobs: Oid[] = [];
  try {
    for await (const { oid, type } of reachableObjects(repo, tips, known)) {
      // Commits, trees and tags were read to get here.
      if (type === "blob") blobs.push(oid);
      if (blobs.length < BATCH) continue;
      await mustHave(repo, blobs);
      blobs = [];
    }
  } catch (cause) {
    if (cause instanceof GitError && cause.code === "ENETWORK") throw cause;
    throw incomplete(cause);
  }
  await mustHave(repo, blobs);
}

async function mustHave(repo: Repository, oids: readonly Oid[]): Promise<void> {
  if (oids.length > 0 && (await repo.odb.missing(oids)).length > 0) throw incomplete();
}

function incomplete(cause?: unknown): GitError {
  return new GitError("ENETWORK", "the remote did not send all necessary objects", { cause });
}
