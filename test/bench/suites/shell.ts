/** Commands in the Worker's shell, beside the real bash on a disk. The issue sets no goal for it; what a command costs is asserted. */
import { defineSuite } from "../suite.ts";
import { beforeCounts, counts } from "./shell/counts.ts";
import { type Load, load } from "./shell/load.ts";
import { rows } from "./shell/rows.ts";

export const shell = defineSuite<Load>({
  name: "shell",
  title: "Shell: a small command, loops, pipes, files, grep",
  load,
  rows,
  beforeCounts,
  counts,
});
