/**
 * Conditional requests (RFC 9110, section 13): parses the client's conditions and evaluates them on the current state, in the order
 * of section 13.2.2. For a change, "proceed" is not enough: the evaluated state goes into the verb as `ifVersion` and is checked
 * again in the committing transaction.
 */
import { matchesStrongly, matchesWeakly, parseTags, type TagList } from "./entity-tag.ts";

export interface Preconditions {
  ifMatch?: TagList;
  ifNoneMatch?: TagList;
  /** Milliseconds, in whole seconds. */
  ifModifiedSince?: number;
  ifUnmodifiedSince?: number;
}

/** The current state; null: nothing exists. */
export interface CurrentState {
  /** Null if it has no tag, as for a directory listing. */
  version: string | null;
  modifiedMs: number;
}

export function parsePreconditions(headers: Headers): Preconditions {
  return {
    ifMatch: parseTags("If-Match", headers.get("If-Match")),
    ifNoneMatch: parseTags("If-None-Match", headers.get("If-None-Match")),
    ifModifiedSince: parseDate(headers.get("If-Modified-Since")),
    ifUnmodifiedSince: parseDate(headers.get("If-Unmodified-Since")),
  };
}

export function evaluateRead(requested: Preconditions, present: CurrentState): "proceed" | "failed" | "not-modified" {
  if (!demandsHold(requested, present)) return "failed";
  if (requested.ifNoneMatch !== undefined)
    return matchesWeakly(requested.ifNoneMatch, present.version) ? "not-modified" : "proceed";
  const unmodified =
    requested.ifModifiedSince !== undefined && wholeSeconds(present.modifiedMs) <= requested.ifModifiedSince;
  return unmodified ? "not-modified" : "proceed";
}

export function evaluateWrite(requested: Preconditions, present: CurrentState | null): "proceed" | "failed" {
  if (!demandsHold(requested, present)) return "failed";
  const exists =
    present !== null && requested.ifNoneMatch !== undefined && matchesWeakly(requested.ifNoneMatch, present.version);
  return exists ? "failed" : "proceed";
}

/** Whether a change depends on the current state, and must pass it to the verb. */
export function isConditional({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined || ifUnmodifiedSince !== undefined;
}

/** Times in headers have a resolution of one second. */
export function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

/** An invalid date is ignored, as the standard requires. */
export function parseDate(header: string | null): number | undefined {
  const ms = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(ms) ? undefined : ms;
}

function demandsHold({ ifMatch, ifUnmodifiedSince }: Preconditions, present: CurrentState | null): boolean {
  if (ifMatch !== undefined) return present !== null && matchesStrongly(ifMatch, present.version);
  if (ifUnmodifiedSince !== undefined) return present !== null && wholeSeconds(present.modifiedMs) <= ifUnmodifiedSince;
  return true;
}
