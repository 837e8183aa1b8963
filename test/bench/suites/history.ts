/** History, beside git and a full copy on a native disk: what one would do without it. The issue sets budgets, which are counts. */
import { defineSuite } from "../suite.ts";
import { beforeCounts, counts } from "./history/counts.ts";
import { type Load, load } from "./history/load.ts";
import { rows } from "./history/rows.ts";

export const history = defineSuite<Load>({
  name: "history",
  title: "History: snapshot, restore, undo, a file as it was",
  load,
  rows,
  beforeCounts,
  counts,
});
