/** The agent tools, a row for each, beside the call that each stands on: a tool may take half as long again, and not more. */
import { defineSuite } from "../suite.ts";
import { beforeCounts, counts, type Load, load, rows } from "./tools/rows.ts";

export const tools = defineSuite<Load>({
  name: "tools",
  title: "Agent tools: each beside the call it stands on",
  load,
  rows,
  beforeCounts,
  counts,
});
