/** What a user's build gets: one bundle that needs no loader, no Node module and no flag. test/packages holds the sizes. */
import { build } from "esbuild";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

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

it.each(["@cloudflare/workspace", "@cloudflare/workspace/core"])("%s bundles with nothing special", async (entry) => {
  expect(await bundle(entry)).toContain("ws_inode");
});

it("@cloudflare/workspace/core comes without git and shell", async () => {
  const [whole, core] = [await bundle("@cloudflare/workspace"), await bundle("@cloudflare/workspace/core")];
  for (const words of ["not a git repository", "command not found"]) {
    expect(whole).toContain(words);
    expect(core).not.toContain(words);
  }
});
