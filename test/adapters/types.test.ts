/** The adapters, their examples and their tests are checked against the frameworks' own types. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("every adapter fits its framework's types", () => {
  const tsc = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
  const { stdout, status } = spawnSync(process.execPath, [tsc, "-p", import.meta.dirname], { encoding: "utf8" });
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
});

it("docs/guide/adapters.md names the versions that are tested here", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/guide/adapters.md"), "utf8");
  const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const named = [...page.matchAll(/^\| `.*\| ([^|]+) \|$/gm)].flatMap(([, cell]) => (cell as string).split(", "));
  expect(named.length).toBeGreaterThan(9);
  for (const each of named) {
    const [name, version] = each.split(" ") as [string, string];
    expect([name, version]).toEqual([name, devDependencies[name]]);
  }
});
