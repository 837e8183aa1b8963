/**
 * Lays out commits as a graph: each gets a lane, and each row the lines that pass through it. A lane waits for one commit; the
 * first parent continues in its child's lane, other parents get their own lanes, and a lane ends where another lane reached its
 * commit first.
 */
export interface GraphLine {
  /** Lanes at the top and the bottom of the row; the dot's own at its middle. */
  from: number;
  to: number;
  /** "through": top to bottom; "in": top to the dot; "out": dot to the bottom. */
  kind: "through" | "in" | "out";
  /** The lane that determines its color. */
  lane: number;
}

export interface GraphRow {
  lane: number;
  lines: GraphLine[];
  width: number;
}

export function graphRows(commits: readonly { oid: string; parents: readonly string[] }[]): GraphRow[] {
  let lanes: (string | null)[] = [];
  return commits.map(({ oid, parents }) => {
    const before = lanes;
    const found = before.indexOf(oid);
    const lane = found >= 0 ? found : freeLane(before);
    // Every lane that waited for this commit ends here.
    const after = before.map((waits) => (waits === oid ? null : waits));
    after[lane] = null;
    // The first parent continues straight; a lane further right that also waits for it joins.
    const [first] = parents;
    const moved = first === undefined ? -1 : after.indexOf(first, lane + 1);
    if (moved >= 0) after[moved] = null;
    if (moved >= 0 && first !== undefined) after[lane] = first;
    const outs = parents.map((parent, i) => {
      let target = after.indexOf(parent);
      if (target < 0) target = i === 0 && after[lane] === null ? lane : freeLane(after);
      after[target] = parent;
      return { from: lane, to: target, kind: "out" as const, lane: target };
    });
    const lines: GraphLine[] = [];
    before.forEach((waits, i) => {
      if (waits === oid) lines.push({ from: i, to: lane, kind: "in", lane: i });
      else if (waits !== null && waits !== undefined)
        lines.push({ from: i, to: i === moved ? lane : i, kind: "through", lane: i });
    });
    lanes = trimmed(after);
    return { lane, lines: [...lines, ...outs], width: Math.max(before.length, lanes.length, lane + 1) };
  });
}

function freeLane(lanes: readonly (string | null)[]): number {
  const free = lanes.indexOf(null);
  return free >= 0 ? free : lanes.length;
}

function trimmed(lanes: (string | null)[]): (string | null)[] {
  let length = lanes.length;
  while (length > 0 && lanes[length - 1] == null) length--;
  return Array.from({ length }, (_, i) => lanes[i] ?? null);
}
