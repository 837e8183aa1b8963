/** What every verb is given: whose file system, and in whose name. */
import { FsError } from "./errors.ts";
import type { VersionGuard } from "./file-system.ts";
import type { Inode } from "./inode.ts";
import { type Identity, Mutation } from "./mutation/mutation.ts";
import { RoomMade } from "./mutation/room-made.ts";
import { StaleMemory } from "./mutation/stale-memory.ts";
import type { Volume } from "./volume.ts";

export interface FsContext {
  readonly volume: Volume;
  readonly identity: Identity;
}

/**
 * Plans in memory, then commits; a plan that throws has changed nothing. Nothing in `plan` may await. It is made once more, from the
 * database, when what it was made from turns out not to be true: it may not use inodes that were read outside it.
 */
export function mutate<T>(ctx: FsContext, plan: (mutation: Mutation) => T): T {
  return retryStale(ctx.volume, () => mutateOnce(ctx, plan));
}

/** Runs `body` a second time when what it read was not true the first time. `body` reads all that it uses. */
export function retryStale<T>(volume: Volume, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!wasStale(volume, error)) throw error;
    return body();
  }
}

/**
 * A commit noticed that memory was not true, or gave up history that the plan may rest on; or a content is missing that memory names.
 * Memory is true now.
 */
export function wasStale(volume: Volume, error: unknown): boolean {
  if (error instanceof StaleMemory || error instanceof RoomMade) return true;
  return error instanceof FsError && error.code === "EIO" && volume.dropIfStale();
}

/** For a plan that rests on what was read before: it fails with EAGAIN instead, and its caller repeats both. */
export function mutateOnce<T>(ctx: FsContext, plan: (mutation: Mutation) => T): T {
  const mutation = new Mutation(ctx.volume.ensureOpen(), ctx.identity);
  const result = plan(mutation);
  mutation.commit();
  return result;
}

/** Holds a caller to the version it has seen. `null` means: nothing may be there. */
export function checkVersion(
  volume: Volume,
  expected: VersionGuard["ifVersion"],
  found: Inode | null,
  syscall: string,
  path: string,
): void {
  if (expected === undefined) return;
  if (expected !== null && typeof expected !== "string") {
    throw new FsError("EINVAL", { syscall, path, reason: "ifVersion must be a version or null" });
  }
  if (expected === null ? found === null : found !== null && volume.formatVersion(found.rev) === expected) return;
  const reason =
    expected === null
      ? "it exists already, and ifVersion is null"
      : found === null
        ? "it does not exist, so it cannot have the given version"
        : undefined;
  throw new FsError("ESTALE", { syscall, path, reason });
}
