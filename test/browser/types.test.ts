/** The suite's own types: it is a nested project, which the root's `tsc` leaves out. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

it("tsc finds nothing in the browser suite", () => {
  const { dirname } = import.meta;
  const tsc = join(dirname, "../../node_modules/.bin/tsc");
  const { status, stdout } = spawnSync(tsc, ["--noEmit", "-p", dirname], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
