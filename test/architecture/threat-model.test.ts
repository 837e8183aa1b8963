/** Each row of docs/threat-model.md names tests that exist. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

it("every defense in docs/threat-model.md names a test that exists", () => {
  const text = readFileSync(join(root, "docs/threat-model.md"), "utf8");
  const [, table = ""] = /## What holds\n([\s\S]*?)\n## /.exec(text) ?? [];
  const rows = table.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| attack "));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const tests = [...(row.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    expect(tests, row).not.toEqual([]);
    for (const file of tests) expect([file, existsSync(join(root, file))]).toEqual([file, true]);
  }
});
