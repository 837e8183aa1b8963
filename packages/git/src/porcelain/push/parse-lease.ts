/** A lease of `--force-with-lease`: the value that a ref must still have on the remote. */
import { GitError } from "../../errors.ts";
import { type Oid, parseOid, ZERO_OID } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";

export interface PushLease {
  /** The ref's full name. */
  readonly full: string;
  /** "tracking": what our tracking ref says. */
  readonly expected: Oid | "tracking";
}

/** "branch", or "branch:expected". */
export async function parseLease(repo: Repository, value: string): Promise<PushLease> {
  const colon = value.indexOf(":");
  const name = colon < 0 ? value : value.slice(0, colon);
  const full = name.startsWith("refs/") ? name : `refs/heads/${name}`;
  const text = colon < 0 ? null : value.slice(colon + 1);
  if (text === null) return { full, expected: "tracking" };
  const expected = text === "" ? ZERO_OID : (parseOid(text) ?? (await findRevision(repo, text, {}))?.oid);
  if (expected === undefined)
    throw new GitError("EINVAL", `cannot parse expected object name '${text}'`, { prefix: "error", exitCode: 129 });
  return { full, expected };
}
