/** Puts `/mcp/:name` into the app, behind its door. */
import type { Hono } from "hono";
import { requireScope } from "../endpoint/scope.ts";
import type { AppEnv } from "../env.ts";
import { rawPath } from "../http/raw-path.ts";
import { decodeSegment, workspaceName } from "../path/workspace-path.ts";

/** The segments before the name: "", "mcp". */
const NAME_SEGMENT = 2;

export function mountMcp(app: Hono<AppEnv>): void {
  app.all("/mcp/:name", async (c) => {
    const name = workspaceName(decodeSegment(rawPath(c.req.url).split("/")[NAME_SEGMENT] ?? ""));
    const visitor = c.get("visitor");
    // Tools look at the scope again: a token for reading alone has those that change nothing.
    requireScope(visitor, "read", name);
    // Loaded when it is used: the tools behind it are the heaviest part of the Worker.
    const { serveMcp } = await import("./serve-mcp.ts");
    return serveMcp({ request: c.req.raw, env: c.env, visitor, name });
  });
}
