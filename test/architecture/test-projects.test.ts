/** Every test file of the repository runs in exactly one vitest project: none is lost, and none runs twice. */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/root.ts";

const CONFIGS = ["vitest.config.ts", "test/container/vitest.config.ts", "test/browser/vitest.config.ts"];
/** A project of its own that test/packages copies, installs and tests. */
const EXAMPLE = "examples/minimal/test/agent.test.ts";

it("vitest projects hold every test file once", () => {
  const listed = CONFIGS.flatMap(filesOf);
  const files = globSync("**/*.test.ts", { cwd: root, exclude: (path) => path.endsWith("node_modules") });
  expect(listed.toSorted()).toEqual(files.filter((file) => file !== EXAMPLE).toSorted());
});

it("vitest.config.ts names no file that is not there", () => {
  const text = readFileSync(join(root, "vitest.config.ts"), "utf8");
  const patterns = [...text.matchAll(/"((?:container|packages|test)\/[^"]*\.test\.ts)"/g)].flatMap(([, pattern]) =>
    expand(pattern ?? ""),
  );
  expect(patterns.length).toBeGreaterThan(20);
  expect(patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([]);
});

/** `a{b,c}` as `ab` and `ac`: each alternative must match by itself. */
function expand(pattern: string): string[] {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (braces === null) return [pattern];
  const [before, after] = [pattern.slice(0, braces.index), pattern.slice(braces.index + braces[0].length)];
  return (braces[1] ?? "").split(",").flatMap((part) => expand(before + part + after));
}

function filesOf(config: string): string[] {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const argv = [vitest, "list", "--filesOnly", "--json", "--config", config];
  // This run's own variables would make it a worker of this run.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  const output = execFileSync(process.execPath, argv, { cwd: root, env, encoding: "utf8" });
  return (JSON.parse(output) as { file: string }[]).map(({ file }) => relative(root, file));
}
