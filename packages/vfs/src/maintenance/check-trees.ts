/** The part of `fsck` that walks the trees of large contents. Visits nodes that versions share once. */
import { END, type Extent, rowSpan } from "../content/extent.ts";
import { Nodes, type Stretch, stretchesOf } from "../content/tree.ts";
import { onlyIn } from "../content/tree-difference.ts";
import type { Database } from "../db/database.ts";
import { type Child, selectVersions } from "../store/nodes.ts";

interface CheckedTrees {
  /** Rows that a tree needs and that are missing or too short. */
  readonly short: string[];
  /** Nodes that are in no tree. */
  readonly stray: number[];
}

/** Calls `own` for a row once per family of versions (derived from one another) that has it. */
export function checkTrees(
  db: Database,
  lengths: ReadonlyMap<number, number>,
  own: (row: number) => void,
): CheckedTrees {
  const nodes = new Nodes(db, "empty");
  const versions = new Map(selectVersions(db).map((version) => [version.id, version]));
  const walk = new Walk(nodes, lengths);
  const sizes = claimedSizes(db);
  for (const version of versions.values()) {
    const before = versions.has(version.origin) ? [version.origin] : [];
    for (const { rows } of onlyIn(db, nodes, version.id, before)) rows.forEach(own);
    walk.visit(version.id, 0, END, !version.unowned);
    const size = sizes.get(version.id) ?? 0;
    // The owner of the version determines what the last extent needs.
    for (const stretch of nodes.stretches(version.id, Math.max(0, size - 1), size)) walk.check(version.id, stretch);
  }
  const all = db.rows("SELECT id FROM ws_node").map((row) => row[0] as number);
  return { short: walk.short, stray: all.filter((id) => !walk.seen.has(id)) };
}

class Walk {
  readonly short: string[] = [];
  readonly seen = new Set<number>();
  readonly #checked = new Set<string>();
  readonly #nodes: Nodes;
  readonly #lengths: ReadonlyMap<number, number>;

  constructor(nodes: Nodes, lengths: ReadonlyMap<number, number>) {
    this.#nodes = nodes;
    this.#lengths = lengths;
  }

  /** A version without an owner may have lost rows that no other needs. */
  visit(id: number, start: number, end: number, isOwned: boolean): void {
    this.seen.add(id);
    const key = `${id} ${end} ${isOwned}`;
    if (this.#checked.has(key)) return;
    this.#checked.add(key);
    const { level, entries } = this.#nodes.get(id);
    if (level === 0) {
      if (isOwned) for (const stretch of stretchesOf(entries as readonly Extent[], start, end)) this.check(id, stretch);
      return;
    }
    const children = entries as readonly Child[];
    children.forEach(([at, child], i) => {
      if (at < end) this.visit(child, at, Math.min(children[i + 1]?.[0] ?? end, end), isOwned);
    });
  }

  check(id: number, { extent, from, to }: Stretch): void {
    const span = rowSpan(extent, from, to);
    if (span === null) return;
    const [at, row, offset, stride = END] = extent;
    for (let each = span[0]; each <= span[1]; each++) {
      const begins = at + (each - row) * (each === row ? 0 : stride);
      // The end of the last row is unknown here.
      const needs = to === END && each === span[1] ? 0 : offset + Math.min(stride, to - begins);
      if ((this.#lengths.get(each) ?? -1) < needs) this.short.push(`${id}: row ${each}`);
    }
  }
}

/** The maximum number of bytes that owners of each version claim. */
function claimedSizes(db: Database): Map<number, number> {
  const rows = db.rows(`SELECT -content, max(size) FROM (SELECT content, size FROM ws_inode WHERE content < 0
    UNION ALL SELECT old_content, old_size FROM ws_log WHERE old_content < 0) GROUP BY content`);
  return new Map(rows.map((row) => [row[0] as number, row[1] as number]));
}
