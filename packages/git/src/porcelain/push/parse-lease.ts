/**
 * Parses the value of `push --force-with-lease`: the push may overwrite the ref only if the remote still has the expected value.
 */
import { GitError } from "../../errors.ts";
import { type Oid, parseOid, ZERO_OID } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";

export interface PushLease {
  /** The ref's full name. */
  readonly full: string;
  /** "tracking": the value of the remote-tracking ref. */
  readonly expected: Oid | "tracking";
}

/** `value` is "branch" or "branch:expected"; with an empty `expected`, the ref must not exist. */
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
