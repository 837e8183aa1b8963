/** The object in one script, its user in another: a binding with `script_name`, in one runtime as `wrangler dev` would join them. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { root } from "../support/root.ts";

const OBJECT = `
  export { WorkspaceObject } from "@cloudflare/workspace";
  export default { fetch: () => new Response("the object's script") };`;

const USER = `
  import { FsError, getWorkspace } from "@cloudflare/workspace";
  export default {
    async fetch(request, env) {
      using ws = getWorkspace(env.WORKSPACE, "shared", { actor: "user-script" });
      await ws.fs.writeFile("/workspace/a.md", "from another script");
      const text = await ws.fs.readFile("/workspace/a.md", "utf8");
      const error = await ws.fs.readFile("/workspace/none").catch((caught) => caught);
      const { changes } = await ws.fs.changes();
      return Response.json({ text, isFsError: error instanceof FsError, code: error.code, path: error.path, actor: changes.at(-1).actor });
    },
  };`;

async function script(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    external: ["cloudflare:workers"],
  });
  return outputFiles[0]?.text ?? "";
}

const config = (port: number, disk: string) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "user", worker = .user), (name = "object", worker = .object), (name = "disk", disk = (path = "${disk}", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "user")],
);
const user :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "user.js")],
  compatibilityDate = "2026-10-01",
  bindings = [(name = "WORKSPACE", durableObjectNamespace = (className = "WorkspaceObject", serviceName = "object"))],
);
const object :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "object.js")],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [(className = "WorkspaceObject", uniqueKey = "workspace", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
);
`;

it("getWorkspace reaches a WorkspaceObject of another script", async () => {
  const folder = mkdtempSync(join(tmpdir(), "script-name-"));
  const port = await freePort();
  writeFileSync(join(folder, "user.js"), await script(USER));
  writeFileSync(join(folder, "object.js"), await script(OBJECT));
  writeFileSync(join(folder, "config.capnp"), config(port, folder));
  const workerd = spawn(join(root, "node_modules/.bin/workerd"), ["serve", join(folder, "config.capnp")], {
    stdio: "inherit",
  });
  try {
    const response = await answer(`http://127.0.0.1:${port}/`);
    expect(await response.json()).toEqual({
      text: "from another script",
      isFsError: true,
      code: "ENOENT",
      path: "/workspace/none",
      actor: "user-script",
    });
  } finally {
    workerd.kill();
    rmSync(folder, { recursive: true });
  }
});

/** The first response, once the server listens. */
async function answer(address: string): Promise<Response> {
  for (let left = 100; ; left--) {
    try {
      return await fetch(address);
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
