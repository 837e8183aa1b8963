/** Mounts `/mcp/:name` in the app, behind the auth middleware. */
import type { Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { rawPath } from "../http/raw-path.ts";
import { decodeSegment, workspaceName } from "../http/workspace-path.ts";
import { authorize } from "../routes/authorize.ts";

/** The segments before the name: "", "mcp". */
const NAME_SEGMENT = 2;

export function mountMcp(app: Hono<AppEnv>): void {
  app.all("/mcp/:name", async (c) => {
    const name = workspaceName(decodeSegment(rawPath(c.req.url).split("/")[NAME_SEGMENT] ?? ""));
    const principal = c.get("principal");
    // Tools check the scope again: a read-only token gets only those that change nothing.
    authorize(principal, "read", name);
    // Loaded on first use: its tools are the heaviest part of the Worker.
    const { serveMcp } = await import("./transport.ts");
    return serveMcp({ request: c.req.raw, env: c.env, principal, name });
  });
}
