/** The file system. Goals and budgets are those of its issue. */
import { defineSuite } from "../suite.ts";
import { beforeCounts, counts } from "./fs/counts.ts";
import { type Load, load } from "./fs/load.ts";
import { rows } from "./fs/rows.ts";

export const fs = defineSuite<Load>({
  name: "fs",
  title: "The file system: many small files, one large one",
  load,
  rows,
  beforeCounts,
  counts,
});
