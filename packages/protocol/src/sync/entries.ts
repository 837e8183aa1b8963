/** Offers and differences as they arrive from the other side, read field by field. */
import { FrameError } from "../frames.ts";
import {
  countOf,
  fieldsOf,
  flagOf,
  listOf,
  oneOf,
  optionalCount,
  optionalText,
  pathOf,
  targetOf,
  textOf,
} from "./fields.ts";
import type { Offer, OfferOutcome, ScanAnswer, Settled, Skipped, Taken } from "./messages.ts";
import { SYNC_LIMITS } from "./sync-limits.ts";

const VERSION = 64;
const MODE = 0o7777;

export function offersOf(value: Record<string, unknown>, body: Uint8Array): Offer[] {
  const offers = listOf(value, "entries", SYNC_LIMITS.batchEntries, offerOf);
  checkBody(offers, body);
  return offers;
}

function offerOf(item: unknown): Offer {
  const fields = fieldsOf(item, "entry");
  const path = pathOf(fields.path);
  const type = oneOf(fields, "type", ["file", "dir", "symlink", "absent"]);
  if (type === "absent") return { path, type };
  const offer: Offer = { path, type, mode: countOf(fields, "mode", MODE), version: textOf(fields, "version", VERSION) };
  offer.mtime = countOf(fields, "mtime");
  if (type === "symlink") offer.target = targetOf(fields);
  if (type !== "file") return offer;
  offer.size = countOf(fields, "size");
  offer.content = textOf(fields, "content", VERSION);
  offer.bytes = optionalCount(fields, "bytes", SYNC_LIMITS.bodyBytes);
  offer.staged = optionalText(fields, "staged", SYNC_LIMITS.idLength);
  if (offer.bytes !== undefined && offer.bytes !== offer.size) throw new FrameError("a content of another size");
  return offer;
}

export function outcomesOf(answer: Record<string, unknown>, expected: number): OfferOutcome[] {
  const outcomes = listOf(answer, "outcomes", SYNC_LIMITS.batchEntries, (item): OfferOutcome => {
    if (item === "ok" || item === "need" || item === "dirty") return item;
    return { failed: textOf(fieldsOf(item, "outcome"), "failed", 1000) };
  });
  if (outcomes.length !== expected) throw new FrameError("as many outcomes as offers are needed");
  return outcomes;
}

export function takenOf(answer: Record<string, unknown>, body: Uint8Array): Taken[] {
  const entries = listOf(answer, "entries", SYNC_LIMITS.batchEntries, oneTaken);
  checkBody(entries, body);
  return entries;
}

function oneTaken(item: unknown): Taken {
  const fields = fieldsOf(item, "entry");
  const taken: Taken = {
    op: oneOf(fields, "op", ["put", "attr", "remove"]),
    path: pathOf(fields.path),
    type: oneOf(fields, "type", ["file", "dir", "symlink"]),
    base: optionalText(fields, "base", VERSION) ?? null,
    mode: countOf(fields, "mode", MODE),
    mtime: countOf(fields, "mtime"),
    size: countOf(fields, "size"),
  };
  if (flagOf(fields, "modeChanged")) taken.modeChanged = true;
  if (flagOf(fields, "moving")) taken.moving = true;
  if (taken.op !== "put" || taken.moving) return taken;
  if (taken.type === "symlink") taken.target = targetOf(fields);
  if (taken.type !== "file") return taken;
  if (flagOf(fields, "large")) taken.large = true;
  taken.hash = taken.large ? optionalText(fields, "hash", 64) : textOf(fields, "hash", 64);
  if (fields.same !== undefined) {
    const same = fieldsOf(fields.same, "same");
    taken.same = { path: pathOf(same.path), version: textOf(same, "version", VERSION) };
  }
  taken.bytes = optionalCount(fields, "bytes", SYNC_LIMITS.bodyBytes);
  if (taken.bytes === undefined && !taken.large && !taken.same) throw new FrameError("an entry without its content");
  if (taken.bytes !== undefined && taken.bytes !== taken.size) throw new FrameError("a content of another size");
  return taken;
}

export function settledOf(value: Record<string, unknown>): Settled[] {
  return listOf(value, "settled", SYNC_LIMITS.batchEntries, (item) => {
    const fields = fieldsOf(item, "settled");
    const settled: Settled = {
      index: countOf(fields, "index"),
      version: optionalText(fields, "version", VERSION) ?? null,
      content: optionalText(fields, "content", VERSION) ?? null,
    };
    if (flagOf(fields, "behind")) settled.behind = true;
    return settled;
  });
}

export function scanOf(answer: Record<string, unknown>): ScanAnswer {
  return {
    scan: countOf(answer, "scan"),
    entries: countOf(answer, "entries"),
    bytes: countOf(answer, "bytes"),
    treeEntries: countOf(answer, "treeEntries"),
    treeBytes: countOf(answer, "treeBytes"),
    over: optionalText(answer, "over", 2000),
    skipped: skippedOf(answer),
    behind: listOf(answer, "behind", SYNC_LIMITS.batchEntries, pathOf),
    ...(answer.activity === undefined ? {} : { activity: activityIn(fieldsOf(answer.activity, "activity")) }),
  };
}

function activityIn(fields: Record<string, unknown>): ScanAnswer["activity"] {
  const stamps = (name: string) =>
    listOf(fields, name, SYNC_LIMITS.liveProcesses, (stamp) => optionalText({ stamp }, "stamp", 64) ?? null);
  return { before: stamps("before"), after: stamps("after") };
}

function skippedOf(answer: Record<string, unknown>): Skipped[] {
  return listOf(answer, "skipped", SYNC_LIMITS.reportItems + 1, (item) => {
    const fields = fieldsOf(item, "skipped");
    return { path: textOf(fields, "path", 3 * SYNC_LIMITS.pathBytes), reason: textOf(fields, "reason", 1000) };
  });
}

/** The contents in a body, one after the other: exactly as many bytes as the entries say. */
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
