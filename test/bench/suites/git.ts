/** Git in the object, beside the machine's own git on a disk and the peer's. Goals are those of its issue. */
import { defineSuite } from "../suite.ts";
import { type Load, load } from "./git/load.ts";
import { rows } from "./git/rows.ts";

export const git = defineSuite<Load>({
  name: "git",
  title: "Git: clone, status, commit, log, diff, switch",
  load,
  rows,
  needsGitServer: true,
  // It needs minutes for the wide tree.
  fewerRounds: { history: { computer: 2 }, wide: { computer: 1 } },
  beforeCounts: async () => {},
  counts: [],
});
