/** `history.diff`: the files that differ between two points in time, with unified diffs of text files. */

import { FsError } from "../../api/errors.ts";
import type { DiffFile, DiffOptions, HistoryDiff } from "../../api/history.ts";
import { historyLimits } from "../../api/limits.ts";
import { ContentReader } from "../../content/reader.ts";
import { type Inode, isFile, isSymlink, PURGED, typeCode, typeName } from "../../tree/inode.ts";
import { tryLstat } from "../../tree/try-resolve.ts";
import type { ReadView } from "../../volume/views.ts";
import { yieldToRequests } from "../../walk/yield-to-requests.ts";
import { pastView } from "../past/past-views.ts";
import { resolvePointInTime } from "../past/point-in-time.ts";
import { compareTrees, type End, type TreeDifference } from "./compare-trees.ts";
import { plainPath } from "./log.ts";
import { type PatchSide, unifiedPatch } from "./unified-patch.ts";

interface DiffPair {
  readonly from: Placed | null;
  readonly to: Placed | null;
}

interface Placed {
  readonly path: string;
  readonly inode: Inode;
}

/** Files compared between two pauses. */
const PAUSE_EVERY = 50;

export async function readDiff(present: ReadView, options: Partial<DiffOptions>): Promise<HistoryDiff> {
  const { from, to = "now", path = "/", context = 3, patches = true } = options;
  if (!Number.isInteger(context) || context < 0)
    throw new FsError("EINVAL", { syscall: "diff", reason: "context must be a number of lines" });
  const ends = [endAt(present, from), endAt(present, to)] as const;
  const start = startAt(ends, plainPath(path, "diff"));
  const { pairs, truncated } = pairUp(compareTrees(ends[0], ends[1], start));
  let bytes = 0;
  let cut = truncated;
  const files: DiffFile[] = [];
  for (const [i, pair] of pairs.entries()) {
    if (i % PAUSE_EVERY === PAUSE_EVERY - 1) await yieldToRequests();
    const file = describe(present.ensureOpen(), pair, patches && bytes <= historyLimits.diffBytes ? context : null);
    bytes += file.patch?.length ?? 0;
    cut ||= patches && bytes > historyLimits.diffBytes;
    files.push(file);
  }
  return { files, truncated: cut };
}

function endAt(present: ReadView, moment: unknown): End {
  const rev = resolvePointInTime(present, moment, "diff");
  return { rev, volume: rev === present.revisions.head ? present : pastView(present, rev).ensureOpen() };
}

function startAt([a, b]: readonly [End, End], path: string): TreeDifference {
  const found = { path, from: tryLstat(a.volume.cache, path), to: tryLstat(b.volume.cache, path) };
  if (found.from === null && found.to === null)
    throw new FsError("ENOENT", { syscall: "diff", path, reason: "it exists at neither moment" });
  return found;
}

/** An inode removed at one path and added at another was moved. */
function pairUp(differences: Iterable<TreeDifference>): { pairs: DiffPair[]; truncated: boolean } {
  const pairs: { from: Placed | null; to: Placed | null }[] = [];
  const gone = new Map<number, (typeof pairs)[number]>();
  const come = new Map<number, (typeof pairs)[number]>();
  for (const { path, from, to } of differences) {
    if (pairs.length >= historyLimits.diffFiles) return { pairs, truncated: true };
    const pair = { from: from && { path, inode: from }, to: to && { path, inode: to } };
    if (from !== null && to === null && come.has(from.ino)) {
      (come.get(from.ino) as DiffPair & { from: Placed | null }).from = pair.from;
      come.delete(from.ino);
    } else if (from === null && to !== null && gone.has(to.ino)) {
      (gone.get(to.ino) as DiffPair & { to: Placed | null }).to = pair.to;
      gone.delete(to.ino);
    } else {
      pairs.push(pair);
      if (from !== null && to === null) gone.set(from.ino, pair);
      if (to !== null && from === null) come.set(to.ino, pair);
    }
  }
  return { pairs, truncated: false };
}

function describe(volume: ReadView, { from, to }: DiffPair, context: number | null): DiffFile {
  const shown = (to ?? from) as Placed;
  const moved = from !== null && to !== null && from.path !== to.path;
  const sides = [toDiffSide(volume, from), toDiffSide(volume, to)] as const;
  const purged = sides.some((side) => side?.bytes === "purged");
  const binary = sides.some((side) => side?.bytes === "binary");
  return {
    path: shown.path,
    ...(moved ? { from: from.path } : {}),
    status: from === null ? "added" : to === null ? "removed" : moved ? "renamed" : "modified",
    type: typeName(typeCode(shown.inode)),
    ...(from === null ? {} : { oldMode: from.inode.mode, oldSize: from.inode.size }),
    ...(to === null ? {} : { newMode: to.inode.mode, newSize: to.inode.size }),
    ...(binary ? { binary } : {}),
    ...(purged ? { purged } : {}),
    ...(context === null || binary || purged || sides.every((side) => side?.bytes === undefined)
      ? {}
      : { patch: unifiedPatch(sides[0] as PatchSide | null, sides[1] as PatchSide | null, context) }),
  };
}

interface DiffSide extends Omit<PatchSide, "bytes"> {
  /** Undefined for a directory, which has none. */
  bytes: Uint8Array | "binary" | "purged" | undefined;
}

const encoder = new TextEncoder();
/** As git detects binary files: a NUL among the first bytes. */
const BINARY_CHECK_BYTES = 8000;

function toDiffSide(volume: ReadView, placed: Placed | null): DiffSide | null {
  if (placed === null) return null;
  const { path, inode } = placed;
  const side = { path, mode: inode.mode };
  if (isSymlink(inode)) return { ...side, bytes: encoder.encode(inode.target ?? "") };
  if (!isFile(inode)) return { ...side, bytes: undefined };
  if (inode.content === PURGED) return { ...side, bytes: "purged" };
  if (inode.size > historyLimits.textBytes) return { ...side, bytes: "binary" };
  const bytes = new ContentReader(volume.store.db, inode).read();
  return { ...side, bytes: bytes.subarray(0, BINARY_CHECK_BYTES).includes(0) ? "binary" : bytes };
}
