/** Parses offers and differences from the other side, field by field. */
import { FrameError } from "../frames.ts";
import {
  flagOf,
  optionalCount,
  optionalText,
  parseCount,
  parseFields,
  parseList,
  parseOneOf,
  parsePath,
  parseTarget,
  parseText,
} from "./fields.ts";
import type { OfferOutcome, PullAck, PullEntry, PushEntry, ScanAnswer, Skipped } from "./messages.ts";
import { SYNC_LIMITS } from "./sync-limits.ts";

const VERSION = 64;
const MODE = 0o7777;

export function parsePushEntries(value: Record<string, unknown>, body: Uint8Array): PushEntry[] {
  const offers = parseList(value, "entries", SYNC_LIMITS.batchEntries, parsePushEntry);
  checkBody(offers, body);
  return offers;
}

function parsePushEntry(item: unknown): PushEntry {
  const fields = parseFields(item, "entry");
  const path = parsePath(fields.path);
  const type = parseOneOf(fields, "type", ["file", "dir", "symlink", "absent"]);
  if (type === "absent") return { path, type };
  const offer: PushEntry = {
    path,
    type,
    mode: parseCount(fields, "mode", MODE),
    version: parseText(fields, "version", VERSION),
  };
  offer.mtime = parseCount(fields, "mtime");
  if (type === "symlink") offer.target = parseTarget(fields);
  if (type !== "file") return offer;
  offer.size = parseCount(fields, "size");
  offer.content = parseText(fields, "content", VERSION);
  offer.bytes = optionalCount(fields, "bytes", SYNC_LIMITS.bodyBytes);
  offer.staged = optionalText(fields, "staged", SYNC_LIMITS.idLength);
  if (offer.bytes !== undefined && offer.bytes !== offer.size) throw new FrameError("a content of another size");
  return offer;
}

export function outcomesOf(answer: Record<string, unknown>, expected: number): OfferOutcome[] {
  const outcomes = parseList(answer, "outcomes", SYNC_LIMITS.batchEntries, (item): OfferOutcome => {
    if (item === "ok" || item === "need" || item === "dirty") return item;
    return { failed: parseText(parseFields(item, "outcome"), "failed", 1000) };
  });
  if (outcomes.length !== expected) throw new FrameError("as many outcomes as offers are needed");
  return outcomes;
}

export function parsePullEntries(answer: Record<string, unknown>, body: Uint8Array): PullEntry[] {
  const entries = parseList(answer, "entries", SYNC_LIMITS.batchEntries, parsePullEntry);
  checkBody(entries, body);
  return entries;
}

function parsePullEntry(item: unknown): PullEntry {
  const fields = parseFields(item, "entry");
  const taken: PullEntry = {
    op: parseOneOf(fields, "op", ["put", "attr", "remove"]),
    path: parsePath(fields.path),
    type: parseOneOf(fields, "type", ["file", "dir", "symlink"]),
    base: optionalText(fields, "base", VERSION) ?? null,
    mode: parseCount(fields, "mode", MODE),
    mtime: parseCount(fields, "mtime"),
    size: parseCount(fields, "size"),
  };
  if (flagOf(fields, "modeChanged")) taken.modeChanged = true;
  if (flagOf(fields, "moving")) taken.moving = true;
  if (taken.op !== "put" || taken.moving) return taken;
  if (taken.type === "symlink") taken.target = parseTarget(fields);
  if (taken.type !== "file") return taken;
  if (flagOf(fields, "large")) taken.large = true;
  taken.hash = taken.large ? optionalText(fields, "hash", 64) : parseText(fields, "hash", 64);
  if (fields.same !== undefined) {
    const same = parseFields(fields.same, "same");
    taken.same = { path: parsePath(same.path), version: parseText(same, "version", VERSION) };
  }
  taken.bytes = optionalCount(fields, "bytes", SYNC_LIMITS.bodyBytes);
  if (taken.bytes === undefined && !taken.large && !taken.same) throw new FrameError("an entry without its content");
  if (taken.bytes !== undefined && taken.bytes !== taken.size) throw new FrameError("a content of another size");
  return taken;
}

export function parsePullAcks(value: Record<string, unknown>): PullAck[] {
  return parseList(value, "settled", SYNC_LIMITS.batchEntries, (item) => {
    const fields = parseFields(item, "settled");
    const settled: PullAck = {
      index: parseCount(fields, "index"),
      version: optionalText(fields, "version", VERSION) ?? null,
      content: optionalText(fields, "content", VERSION) ?? null,
    };
    if (flagOf(fields, "behind")) settled.behind = true;
    return settled;
  });
}

export function scanOf(answer: Record<string, unknown>): ScanAnswer {
  return {
    scan: parseCount(answer, "scan"),
    entries: parseCount(answer, "entries"),
    bytes: parseCount(answer, "bytes"),
    treeEntries: parseCount(answer, "treeEntries"),
    treeBytes: parseCount(answer, "treeBytes"),
    over: optionalText(answer, "over", 2000),
    skipped: skippedOf(answer),
    behind: parseList(answer, "behind", SYNC_LIMITS.batchEntries, parsePath),
    ...(answer.activity === undefined ? {} : { activity: activityIn(parseFields(answer.activity, "activity")) }),
  };
}

function activityIn(fields: Record<string, unknown>): ScanAnswer["activity"] {
  const stamps = (name: string) =>
    parseList(fields, name, SYNC_LIMITS.liveProcesses, (stamp) => optionalText({ stamp }, "stamp", 64) ?? null);
  return { before: stamps("before"), after: stamps("after") };
}

function skippedOf(answer: Record<string, unknown>): Skipped[] {
  return parseList(answer, "skipped", SYNC_LIMITS.reportItems + 1, (item) => {
    const fields = parseFields(item, "skipped");
    return { path: parseText(fields, "path", 3 * SYNC_LIMITS.pathBytes), reason: parseText(fields, "reason", 1000) };
  });
}

/** The contents in a body, one after the other: exactly as many bytes as the entries state. */
function checkBody(entries: readonly { bytes?: number }[], body: Uint8Array): void {
  const declared = entries.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  if (declared !== body.length) throw new FrameError("the contents are not as long as their entries say");
}

/** Walks the contents in step with their entries. */
export function* withContents<T extends { bytes?: number }>(
  entries: readonly T[],
  body: Uint8Array,
): Generator<[entry: T, content: Uint8Array | undefined]> {
  let at = 0;
  for (const entry of entries) {
    if (entry.bytes === undefined) yield [entry, undefined];
    else yield [entry, body.subarray(at, (at += entry.bytes))];
  }
}
