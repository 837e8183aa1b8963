/**
 * Lists the offers for the container: the current state of every path that changed since a cursor, or of all paths. The log says
 * only which paths changed; an offer is the current state, so a path that was written a hundred times is sent once.
 */
import { PRIVATE_DIRECTORY, type PushEntry } from "@workspace/protocol";
import { type Change, type FileStat, pathsOfInode, type WriteView } from "@workspace/vfs";
import type { Policy } from "./policy.ts";
import type { SyncReportBuilder } from "./sync-report-builder.ts";
import type { SyncTree } from "./sync-tree.ts";

/** Beyond this many paths, walking the tree takes less memory. */
const MAX_TOUCHED = 20_000;

export interface Touched {
  /** Path → whether everything below it may be new. */
  paths: Map<string, boolean>;
  cursor: string;
  /** All of it is new content, so the container lacks it: no moves, no changes of attributes alone. */
  onlyNewContent: boolean;
}

/** Null when the log does not reach back that far, or names too many paths: then everything has to be offered. */
export async function changedSince(view: SyncTree, cursor: string): Promise<Touched | null> {
  const paths = new Map<string, boolean>();
  let onlyNewContent = true;
  let since = cursor;
  for (;;) {
    let page: Awaited<ReturnType<typeof view.fs.changes>>;
    try {
      page = await view.fs.changes({ since });
    } catch (error) {
      if ((error as { code?: string }).code === "EGONE") return null;
      throw error;
    }
    for (const change of page.changes) {
      touch(view, paths, change);
      if (change.op === "attr" || change.type === "dir" || change.from !== undefined) onlyNewContent = false;
    }
    since = page.cursor;
    if (paths.size > MAX_TOUCHED) return null;
    if (!page.more) return { paths, cursor: since, onlyNewContent };
  }
}

function touch(view: SyncTree, paths: Map<string, boolean>, { op, type, path, from }: Change): void {
  const here = view.relative(path);
  const whole = type === "dir" && op !== "attr";
  if (here !== null && here !== "") paths.set(here, whole || paths.get(here) === true);
  const before = from === undefined ? null : view.relative(from);
  if (before !== null && before !== "") paths.set(before, true);
}

/** Parents before children, removals last: the container may still need their bytes for new files. */
export async function* offersFor(
  volume: WriteView,
  view: SyncTree,
  policy: Policy,
  touched: ReadonlyMap<string, boolean>,
  report: SyncReportBuilder,
): AsyncGenerator<PushEntry> {
  const wanted = [...touched].sort(([a], [b]) => (a < b ? -1 : 1));
  const gone: string[] = [];
  const reported = new Set<string>();
  for (const [path, whole] of wanted) {
    if (reported.has(path)) continue;
    const stat = await view.lookup(path);
    if (policy.isContainerOnly(path, stat?.type === "dir")) {
      if (stat !== null) skipByPolicy(view, report, path);
      continue;
    }
    if (stat === null) {
      gone.push(path);
      continue;
    }
    for await (const offer of toPushEntries({ volume, view, policy, report }, path, stat, whole)) {
      if (reported.has(offer.path)) continue;
      reported.add(offer.path);
      yield offer;
    }
  }
  for (const path of gone.reverse()) yield { path, type: "absent" };
}

interface OfferContext {
  volume: WriteView;
  view: SyncTree;
  policy: Policy;
  report: SyncReportBuilder;
}

const HARD_LINK = "a file of several names: in the container each is a file of its own";

async function* toPushEntries(
  { volume, view, policy, report }: OfferContext,
  path: string,
  stat: FileStat,
  whole: boolean,
) {
  // A file with several names changes under all of them, and the log names one.
  if (stat.type === "file" && stat.nlink > 1) {
    report.skip(view.absolute(path), HARD_LINK);
    for (const name of pathsOfInode(volume, stat.ino)) {
      const other = view.relative(name);
      const found = other === null || policy.isContainerOnly(other, false) ? null : await view.lookup(other);
      if (other !== null && found?.ino === stat.ino) yield await toPushEntry(view, other, found);
    }
    return;
  }
  yield await toPushEntry(view, path, stat);
  if (stat.type !== "dir" || !whole) return;
  for await (const [below, found] of view.walk(path, offered(view, policy, report))) {
    if (found.type === "file" && found.nlink > 1) report.skip(view.absolute(below), HARD_LINK);
    yield await toPushEntry(view, below, found);
  }
}

/** Offers the whole tree. */
export async function* allOffers(view: SyncTree, policy: Policy, report: SyncReportBuilder): AsyncGenerator<PushEntry> {
  for await (const [path, stat] of view.walk("", offered(view, policy, report))) {
    if (stat.type === "file" && stat.nlink > 1) report.skip(view.absolute(path), HARD_LINK);
    yield await toPushEntry(view, path, stat);
  }
}

/** Whether to offer a path to the container; the report lists the skipped ones. */
function offered(
  view: SyncTree,
  policy: Policy,
  report: SyncReportBuilder,
): (path: string, isDirectory: boolean) => boolean {
  return (path, isDirectory) => {
    if (!policy.isContainerOnly(path, isDirectory)) return true;
    skipByPolicy(view, report, path);
    return false;
  };
}

function skipByPolicy(view: SyncTree, report: SyncReportBuilder, path: string): void {
  if (path === PRIVATE_DIRECTORY || path.startsWith(`${PRIVATE_DIRECTORY}/`)) return;
  report.skip(view.absolute(path), "container-only by policy");
}

async function toPushEntry(view: SyncTree, path: string, stat: FileStat): Promise<PushEntry> {
  const offer: PushEntry = {
    path,
    type: stat.type,
    mode: stat.mode & 0o7777,
    mtime: Math.max(0, Math.round(stat.mtimeMs * 1000)),
    version: stat.version,
  };
  if (stat.type === "file") return { ...offer, size: stat.size, content: stat.contentVersion };
  if (stat.type === "symlink") return { ...offer, target: await view.fs.readlink(view.absolute(path)) };
  return offer;
}
