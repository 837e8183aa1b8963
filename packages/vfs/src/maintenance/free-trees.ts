/**
 * Frees versions of large contents. A version shares nodes and rows with the version it was made from and with those made from it;
 * whatever it shares with any version, it shares with one of these neighbors. So it is compared only with them, and the rest of it
 * is freed: the cost depends on the difference, not on the number of versions.
 *
 * When a version is freed, its neighbors become each other's. That works for two. A version with three or more stays, without an
 * owner, until there are fewer: there are never more such versions than owned ones. What a version shares with a half-freed one
 * cannot be determined, so a version is finished before the next one begins.
 */
import { END } from "../content/extent.ts";
import { Nodes } from "../content/tree.ts";
import { onlyIn } from "../content/tree-difference.ts";
import type { Database } from "../db/database.ts";
import { addGarbage, deleteContents, deleteGarbage, releaseReference, selectShared } from "../store/gc.ts";
import {
  deleteNodes,
  keepFreeing,
  selectFreeing,
  selectNeighbours,
  selectUnowned,
  selectVersion,
  setOrigin,
  setUnowned,
  type TreeVersion,
} from "../store/nodes.ts";

const MAX_NEIGHBOURS = 2;
/** The cost of each, in rows read or written by all statements together. A separate statement counts as two. */
const WORK = { version: 20, nodeRead: 3, nodeGone: 5, rowGone: 11 };

/** Deleted at the end of a step, in one statement each. */
interface Gone {
  readonly nodes: number[];
  readonly rows: number[];
}

/** Frees as many of these versions as fit a step, the last perhaps in part: at most twice `maxWork`. */
export function freeTrees(
  db: Database,
  roots: readonly number[],
  maxWork: number,
  /** `queue`: the rows are to be erased. */
  freeRows: "delete" | "queue" = "delete",
): void {
  const nodes = new Nodes(db, "empty");
  const gone: Gone = { nodes: [], rows: [] };
  let versions = 0;
  const hasRoom = () => {
    const read = WORK.version * versions + WORK.nodeRead * nodes.reads;
    return read + WORK.nodeGone * gone.nodes.length + WORK.rowGone * gone.rows.length < maxWork;
  };
  const begun = selectFreeing(db);
  const waiting = begun === null ? roots : [begun.root, ...roots.filter((root) => root !== begun.root)];
  let position = begun?.position ?? END;
  for (const root of waiting) {
    versions++;
    position = freeTree(db, nodes, root, position, gone, { hasRoom, maxRows: Math.ceil(maxWork / WORK.rowGone) });
    if (position > 0) keepFreeing(db, { root, position });
    else if (begun?.root === root) keepFreeing(db, null);
    if (position > 0 || !hasRoom()) break;
    position = END;
  }
  releaseRows(db, gone.rows, freeRows);
  deleteNodes(db, gone.nodes);
}

/** Continues from `end` to the beginning while the step has room; returns its position, 0 when it is done. */
function freeTree(
  db: Database,
  nodes: Nodes,
  root: number,
  end: number,
  gone: Gone,
  { hasRoom, maxRows }: { hasRoom: () => boolean; maxRows: number },
): number {
  const version = selectVersion(db, root);
  const near = version === null ? [] : selectNeighbours(db, version, MAX_NEIGHBOURS + 1);
  if (version === null || near.length > MAX_NEIGHBOURS) {
    if (version !== null) setUnowned(db, root);
    deleteGarbage(db, [-root]);
    return 0;
  }
  const others = near.map(({ id }) => id);
  for (const part of onlyIn(db, nodes, root, others, { end, maxRows })) {
    gone.nodes.push(...part.nodes);
    gone.rows.push(...part.rows);
    if (part.position > 0 && !hasRoom()) return part.position;
  }
  // At once: the next version must not find it among its neighbors.
  deleteNodes(db, [root]);
  deleteGarbage(db, [-root]);
  join(db, version, near);
  return 0;
}

/** The neighbors of a freed version become each other's. */
function join(db: Database, { origin }: TreeVersion, near: readonly TreeVersion[]): void {
  const [first, second] = near;
  if (first === undefined) return;
  if (first.id !== origin) setOrigin(db, first.id, 0);
  if (second !== undefined) setOrigin(db, second.id, first.id);
  // It may have stayed only to connect this one.
  else if (first.unowned) addGarbage(db, [-first.id]);
}

/** A row that is also a separate content, or that other trees name, was counted as shared. */
function releaseRows(db: Database, rows: readonly number[], how: "delete" | "queue"): void {
  if (rows.length === 0) return;
  const shared = new Set(selectShared(db, rows));
  const free = rows.filter((row) => !(shared.has(row) && releaseReference(db, row)));
  if (how === "queue") addGarbage(db, free);
  else deleteContents(db, free);
}

/** Finishes the version in progress, so that none is half freed. */
export function finishFreeing(db: Database, maxWork: number): void {
  while (selectFreeing(db) !== null) freeTrees(db, [], maxWork);
}

/** Queues rows that only versions without an owner have. For callers that cannot wait: this has no bound. */
export function queueUnownedRows(db: Database): void {
  for (const version of selectUnowned(db)) {
    const owned = ownedAround(db, version).map(({ id }) => id);
    const rows = [...onlyIn(db, new Nodes(db, "empty"), version.id, owned)].flatMap((part) => part.rows);
    const shared = new Set(selectShared(db, rows));
    addGarbage(
      db,
      rows.filter((row) => !shared.has(row)),
    );
  }
}

/** The nearest versions with an owner, in every direction. */
function ownedAround(db: Database, start: TreeVersion): TreeVersion[] {
  const seen = new Set([start.id]);
  const owned: TreeVersion[] = [];
  const waiting = [start];
  for (let version = waiting.pop(); version !== undefined; version = waiting.pop()) {
    for (const near of selectNeighbours(db, version, -1)) {
      if (seen.has(near.id)) continue;
      seen.add(near.id);
      (near.unowned ? waiting : owned).push(near);
    }
  }
  return owned;
}
