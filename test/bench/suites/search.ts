/** Search, beside the peers and the native ripgrep on a disk. Goals are those of its issue. */
import { defineSuite } from "../suite.ts";
import { beforeCounts, counts } from "./search/counts.ts";
import { type Load, load } from "./search/load.ts";
import { rows } from "./search/rows.ts";

export const search = defineSuite<Load>({
  name: "search",
  title: "Search: a rare literal, many hits, a hard pattern, file names",
  load,
  rows,
  // The peers need minutes to fill and search the large tree: once is what they get, and nothing is extrapolated.
  fewerRounds: { large: { computer: 1, shell: 1, bare: 1 } },
  beforeCounts,
  counts,
});
