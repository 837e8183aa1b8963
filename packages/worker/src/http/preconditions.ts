/**
 * Conditional requests (RFC 9110, section 13): what the client demands of the present state, and whether that state fulfils it, in
 * the order of section 13.2.2. For a change, "proceed" is only half: the state it was judged by goes into the verb as `ifVersion`,
 * and is checked again in the transaction that commits.
 */
import { matchesStrongly, matchesWeakly, parseTags, type TagList } from "./entity-tag.ts";

export interface Preconditions {
  ifMatch?: TagList;
  ifNoneMatch?: TagList;
  /** Milliseconds, in whole seconds. */
  ifModifiedSince?: number;
  ifUnmodifiedSince?: number;
}

/** What is there now; null: nothing. */
export interface CurrentState {
  /** Null for what has no tag, a directory's listing. */
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

/** Whether a change depends on the state it found, and must say so to the verb. */
export function isConditional({ ifMatch, ifNoneMatch, ifUnmodifiedSince }: Preconditions): boolean {
  return ifMatch !== undefined || ifNoneMatch !== undefined || ifUnmodifiedSince !== undefined;
}

/** Times in headers have whole seconds. */
export function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

/** A date that cannot be read is ignored, as the standard says. */
export function parseDate(header: string | null): number | undefined {
  const ms = header === null ? Number.NaN : Date.parse(header);
  return Number.isNaN(ms) ? undefined : ms;
}

function demandsHold({ ifMatch, ifUnmodifiedSince }: Preconditions, present: CurrentState | null): boolean {
  if (ifMatch !== undefined) return present !== null && matchesStrongly(ifMatch, present.version);
  if (ifUnmodifiedSince !== undefined) return present !== null && wholeSeconds(present.modifiedMs) <= ifUnmodifiedSince;
  return true;
}
