/** Rejects a change that the policy of a view does not allow: EACCES, with the reason as a field, before anything is written. */
import type { PathRefusal } from "@workspace/glob";
import { FsError, type FsErrorFields } from "../api/errors.ts";
import type { ChangeOp } from "../api/file-system.ts";
import { type Inode, isDirectory } from "../tree/inode.ts";
import { joinPath } from "../tree/path.ts";
import type { ReadView } from "../volume/views.ts";
import { Walker } from "../walk/walker.ts";

const REASONS: Record<PathRefusal, string> = {
  OUTSIDE_ROOT: "outside the root of this view",
  DENIED: "the policy of this view denies the path",
  NOT_WRITABLE: "the policy of this view allows no change of the path",
};

const SYSCALLS: Record<ChangeOp, string> = {
  create: "open",
  write: "open",
  attr: "chmod",
  link: "link",
  remove: "unlink",
  rename: "rename",
};

/** `created`: other changes of the same mutation. A directory may be created as a parent of one of them. */
export function requireChange(
  { rules }: ReadView,
  op: ChangeOp,
  path: string,
  created: readonly { readonly op: ChangeOp; readonly path: string }[] = [],
): void {
  const refusal = rules?.refusal(path) ?? null;
  if (rules === null || refusal === null) return;
  const isWayTo = (other: string) => other.startsWith(`${path}/`) && rules.refusal(other) === null;
  if (refusal !== "DENIED" && created.some((other) => other.op === "create" && isWayTo(other.path))) return;
  throw refused(refusal, { syscall: SYSCALLS[op], path });
}

/**
 * A directory is removed, restored or moved with everything below it. This is rejected if something below is denied or private, at
 * its path or at the next one: an anchored glob would not match it any more.
 */
export function requireWholeTree(volume: ReadView, inode: Inode, ...paths: readonly string[]): void {
  const { rules, unrestricted, limits } = volume;
  if (rules === null || !rules.hides || !isDirectory(inode)) return;
  const isDenied = (path: string) => rules.visibility(path) === "denied" || rules.refusal(path) === "DENIED";
  const walker = new Walker(unrestricted, inode, { what: "names", limit: limits.walkEntries });
  while (walker.next()) {
    const hidden = paths.map((path) => joinPath(path, walker.relative)).find(isDenied);
    if (hidden !== undefined)
      throw new FsError("EACCES", {
        syscall: "rename",
        path: hidden,
        reason: "the directory has entries that the policy of this view denies",
        refusal: "DENIED",
      });
    if (walker.isDirectory) walker.enter();
  }
}

export function refused(refusal: PathRefusal, fields: FsErrorFields): FsError {
  return new FsError("EACCES", { ...fields, reason: REASONS[refusal], refusal });
}

/**
 * Rejects a restricted view, for verbs on the history or maintenance of the whole workspace: a path policy cannot apply to them.
 */
export function requireUnrestricted({ rules }: ReadView, syscall: string): void {
  if (rules === null) return;
  throw new FsError("EACCES", { syscall, reason: "not available in a restricted view" });
}
