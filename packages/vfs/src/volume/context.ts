/** The context of a verb: a view, and for verbs that write the identity of the caller. */
import { FsError } from "../api/errors.ts";
import type { VersionGuard } from "../api/file-system.ts";
import { type Identity, Mutation } from "../mutation/mutation.ts";
import { RoomMade } from "../mutation/room-made.ts";
import { StaleMemory } from "../mutation/stale-memory.ts";
import type { Inode } from "../tree/inode.ts";
import type { ReadView, WriteView } from "./views.ts";

export interface ReadContext {
  readonly volume: ReadView;
}

export interface FsContext extends ReadContext {
  readonly volume: WriteView;
  readonly identity: Identity;
}

/**
 * Plans in memory, then commits; a plan that throws has changed nothing. `plan` must not await. If the data it was based on was
 * stale, it runs once more, from the database: it must not use inodes that were read outside it.
 */
export function mutate<T>(ctx: FsContext, plan: (mutation: Mutation) => T): T {
  return retryStale(ctx.volume, () => mutateOnce(ctx, plan));
}

/** Runs `body` a second time when it read stale data the first time. `body` must read everything that it uses. */
export function retryStale<T>(volume: ReadView, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!wasStale(volume, error)) throw error;
    return body();
  }
}

/**
 * A commit noticed stale memory, or dropped history that the plan may depend on; or a content that memory names is missing. Memory
 * is up to date now.
 */
export function wasStale(volume: ReadView, error: unknown): boolean {
  if (error instanceof StaleMemory || error instanceof RoomMade) return true;
  return error instanceof FsError && error.code === "EIO" && volume.store.dropIfStale();
}

/**
 * Like `mutate`, for a plan that depends on earlier reads: instead of a retry, it fails with EAGAIN, and the caller repeats both.
 */
export function mutateOnce<T>(ctx: FsContext, plan: (mutation: Mutation) => T): T {
  const mutation = new Mutation(ctx.volume.ensureOpen(), ctx.identity);
  const result = plan(mutation);
  mutation.commit();
  return result;
}

/** Checks the version that the caller expects. `null` means: nothing may exist there. */
export function checkVersion(
  volume: ReadView,
  expected: VersionGuard["ifVersion"],
  found: Inode | null,
  syscall: string,
  path: string,
): void {
  if (expected === undefined) return;
  if (expected !== null && typeof expected !== "string") {
    throw new FsError("EINVAL", { syscall, path, reason: "ifVersion must be a version or null" });
  }
  if (expected === null ? found === null : found !== null && volume.revisions.format(found.rev) === expected) return;
  const reason =
    expected === null
      ? "it exists already, and ifVersion is null"
      : found === null
        ? "it does not exist, so it cannot have the given version"
        : undefined;
  throw new FsError("ESTALE", { syscall, path, reason });
}
