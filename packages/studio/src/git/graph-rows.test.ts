import { describe, expect, it } from "vitest";
import { graphRows } from "./graph-rows.ts";

const commit = (oid: string, ...parents: string[]) => ({ oid, parents });

describe("graphRows", () => {
  it("graphRows keeps a straight history in one lane", () => {
    const rows = graphRows([commit("c", "b"), commit("b", "a"), commit("a")]);
    expect(rows.map(({ lane, width }) => [lane, width])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(rows[1]?.lines).toEqual([
      { from: 0, to: 0, kind: "in", lane: 0 },
      { from: 0, to: 0, kind: "out", lane: 0 },
    ]);
    expect(rows[2]?.lines).toEqual([{ from: 0, to: 0, kind: "in", lane: 0 }]);
  });

  it("graphRows gives a merge's second parent a lane, which ends where both meet", () => {
    const rows = graphRows([commit("m", "b", "x"), commit("x", "a"), commit("b", "a"), commit("a")]);
    expect(rows.map(({ lane }) => lane)).toEqual([0, 1, 0, 0]);
    expect(rows[0]?.lines).toEqual([
      { from: 0, to: 0, kind: "out", lane: 0 },
      { from: 0, to: 1, kind: "out", lane: 1 },
    ]);
    // Lane 0 passes by while lane 1 has the dot; then lane 1, which waits for "a", joins the first parent's lane.
    expect(rows[1]?.lines.map(({ kind }) => kind)).toEqual(["through", "in", "out"]);
    expect(rows[2]?.lines).toContainEqual({ from: 1, to: 0, kind: "through", lane: 1 });
    expect(rows[2]?.lines).toContainEqual({ from: 0, to: 0, kind: "out", lane: 0 });
    expect(rows[3]?.lines).toEqual([{ from: 0, to: 0, kind: "in", lane: 0 }]);
  });
});
