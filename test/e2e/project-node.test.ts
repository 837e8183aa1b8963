/** Which Node the scripts start: the user's own when wrangler can run on it, else the bundled one. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/root.ts";

/** What scripts/run.mjs finds under the name `node`, when npm runs under a Node of this version. */
function nodeUnder(version: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "workspace-node-")));
  try {
    const own = join(folder, "node");
    // A Node that says another version of itself.
    writeFileSync(own, `#!/bin/sh\n[ "$1" = --version ] && echo ${version} && exit\nexec ${process.execPath} "$@"\n`);
    chmodSync(own, 0o755);
    const path = execFileSync(process.execPath, ["scripts/run.mjs", "sh", "-c", "command -v node"], {
      cwd: root,
      env: { ...process.env, npm_node_execpath: own },
      encoding: "utf8",
    });
    return path.trim().replace(folder, "<own>").replace(root, "<root>");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it.each(["v22.18.0", "v24.1.0", "v26.10.0"])("run.mjs uses the user's own Node %s", (version) => {
  expect(nodeUnder(version)).toBe("<own>/node");
});

it.each(["v20.20.2", "v22.17.9"])("run.mjs uses the bundled Node instead of %s", (version) => {
  expect(nodeUnder(version)).toBe("<root>/node_modules/.bin/node");
});

it("run.mjs uses the bundled Node when npm runs under it", () => {
  const { execPath } = process;
  const own = join(root, "scripts/node/node_modules/.bin/node");
  const module = JSON.stringify(join(root, "scripts/project-node.mjs"));
  const script = `import { needsBundledNode } from ${module}; console.log(needsBundledNode());`;
  const needs = (npm: string) =>
    execFileSync(execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, npm_node_execpath: npm },
      encoding: "utf8",
    }).trim();
  expect(needs(own)).toBe("true");
  expect(needs(join(root, "node_modules/.bin/node"))).toBe("true");
});
