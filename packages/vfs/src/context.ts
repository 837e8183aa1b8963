/** What every verb is given: whose file system, and in whose name. */
import { FsError } from "./errors.ts";
import type { IfVersion } from "./filesystem.ts";
import type { Inode } from "./inode.ts";
import { type Identity, Mutation } from "./mutation/mutation.ts";
import type { Volume } from "./volume.ts";

export interface FsContext {
  readonly volume: Volume;
  readonly identity: Identity;
}

/** Plans in memory, then commits; a plan that throws has changed nothing. Nothing in `plan` may await. */
export function mutate<T>(ctx: FsContext, plan: (mutation: Mutation) => T): T {
  const mutation = new Mutation(ctx.volume.open(), ctx.identity);
  const result = plan(mutation);
  mutation.commit();
  return result;
}

/** Holds a caller to the version it has seen. `null` means: nothing may be there. */
export function checkVersion(
  volume: Volume,
  expected: IfVersion["ifVersion"],
  found: Inode | null,
  syscall: string,
  path: string,
): void {
  if (expected === undefined) return;
  if (expected !== null && typeof expected !== "string") {
    throw new FsError("EINVAL", { syscall, path, reason: "ifVersion must be a version or null" });
  }
  if (expected === null ? found === null : found !== null && volume.versionOf(found.rev) === expected) return;
  const reason =
    expected === null
      ? "it exists already, and ifVersion is null"
      : found === null
        ? "it does not exist, so it cannot have the given version"
        : undefined;
  throw new FsError("ESTALE", { syscall, path, reason });
}
