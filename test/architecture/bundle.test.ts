/** What a user's build gets: one bundle that needs no loader, no Node module and no flag, and stays within its size. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

const MAX_GZIPPED = 700 * 1024;

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export { Workspace, WorkspaceObject, getWorkspace } from "${entry}";`, resolveDir: root },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    minify: true,
    // What the platform itself provides; anything else that is not bundled would fail here.
    external: ["cloudflare:workers"],
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}

it.each(["@cloudflare/workspace", "@cloudflare/workspace/core"])(
  "%s bundles with nothing special, within 700 KB gzipped",
  async (entry) => {
    const text = await bundle(entry);
    expect(text).toContain("ws_inode");
    expect(gzipSync(text).length).toBeLessThanOrEqual(MAX_GZIPPED);
  },
);

it("@cloudflare/workspace/core comes without git", async () => {
  const words = "not a git repository";
  expect(await bundle("@cloudflare/workspace")).toContain(words);
  expect(await bundle("@cloudflare/workspace/core")).not.toContain(words);
});
