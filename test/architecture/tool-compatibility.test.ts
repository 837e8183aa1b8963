/** docs/tool-compatibility.md names a test for every feature; a row whose test is gone fails here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

const rows = readFileSync(join(root, "docs/tool-compatibility.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (feature|family|\[)/.test(line))
  .map((line) => line.split(" | "));

it("docs/tool-compatibility.md has a row for each feature", () => {
  expect(rows.length).toBeGreaterThanOrEqual(150);
  for (const row of rows) expect([row[0], row.length]).toEqual([row[0], 3]);
});

it.each(rows.filter((row) => row[2] !== "– |"))("docs/tool-compatibility.md: %s", (_item, _ours, test) => {
  const [file, title] = (test as string).replace(/ \|$/, "").split(" › ") as [string, string];
  // A title may be broken over lines by the formatter, never inside its quotes.
  expect(readFileSync(join(root, file), "utf8")).toContain(title);
});
