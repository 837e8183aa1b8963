/**
 * Who may come in, decided before any route: local mode where `npm start` has set it, else the token, else nobody. Everything is
 * behind it, so that a stranger cannot tell one path from another.
 */
import { createMiddleware } from "hono/factory";
import type { Actor, AppEnv, Env } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { requireToken } from "./bearer-token.ts";
import { requireLocal } from "./local-mode.ts";

export const door = createMiddleware<AppEnv>(async (c, next) => {
  c.set("actor", await admit(c.req.raw, c.env));
  await next();
});

async function admit(request: Request, env: Env): Promise<Actor> {
  if (env.WORKSPACE_LOCAL === "1") {
    await requireLocal(request, env);
    return "http:local";
  }
  if (!env.WORKSPACE_TOKEN)
    throw new HttpError("NOT_CONFIGURED", "nobody may come in yet: there is no WORKSPACE_TOKEN");
  await requireToken(request.headers, env.WORKSPACE_TOKEN);
  return "http";
}
