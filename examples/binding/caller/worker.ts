import { getWorkspace, type WorkspaceNamespace } from "@cloudflare/workspace";

/** Any Worker or object with the binding has the same file system, over Workers RPC. */
export default {
  async fetch(_request: Request, env: { WORKSPACE: WorkspaceNamespace }): Promise<Response> {
    using ws = getWorkspace(env.WORKSPACE, "user-123");
    await ws.fs.writeFile("/workspace/a.md", "hi");
    return new Response(await ws.fs.readFile("/workspace/a.md", "utf8"));
  },
};
