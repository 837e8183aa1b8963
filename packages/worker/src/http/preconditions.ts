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
export interface Present {
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

export function judgeRead(asked: Preconditions, present: Present): "proceed" | "failed" | "not-modified" {
  if (!demandsHold(asked, present)) return "failed";
  if (asked.ifNoneMatch !== undefined)
    return matchesWeakly(asked.ifNoneMatch, present.version) ? "not-modified" : "proceed";
  const unmodified = asked.ifModifiedSince !== undefined && wholeSeconds(present.modifiedMs) <= asked.ifModifiedSince;
  return unmodified ? "not-modified" : "proceed";
}

export function judgeChange(asked: Preconditions, present: Present | null): "proceed" | "failed" {
  if (!demandsHold(asked, present)) return "failed";
  const exists =
    present !== null && asked.ifNoneMatch !== undefined && matchesWeakly(asked.ifNoneMatch, present.version);
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

function demandsHold({ ifMatch, ifUnmodifiedSince }: Preconditions, present: Present | null): boolean {
  if (ifMatch !== undefined) return present !== null && matchesStrongly(ifMatch, present.version);
  if (ifUnmodifiedSince !== undefined) return present !== null && wholeSeconds(present.modifiedMs) <= ifUnmodifiedSince;
  return true;
}
