/** Puts `/mcp/:name` into the app, behind its door. */
import type { Hono } from "hono";
import { requireScope } from "../endpoint/scope.ts";
import type { AppEnv } from "../env.ts";
import { rawPath } from "../http/raw-path.ts";
import { decodeSegment, workspaceName } from "../path/workspace-path.ts";
import { serveMcp } from "./serve-mcp.ts";

/** The segments before the name: "", "mcp". */
const NAME_SEGMENT = 2;

export function mountMcp(app: Hono<AppEnv>): void {
  app.all("/mcp/:name", (c) => {
    const name = workspaceName(decodeSegment(rawPath(c.req.url).split("/")[NAME_SEGMENT] ?? ""));
    const visitor = c.get("visitor");
    // Tools look at the scope again: a token for reading alone has those that change nothing.
    requireScope(visitor, "read", name);
    return serveMcp({ request: c.req.raw, env: c.env, visitor, name });
  });
}
