/**
 * The whole HTTP surface, in order: previews on their own hostnames, headers common to all responses, the page, the auth
 * middleware, the routes. Routes match the path as sent, undecoded; each route decodes it once.
 */
import { Hono } from "hono";
import { authMiddleware } from "../auth/auth-middleware.ts";
import type { AppEnv } from "../env.ts";
import { errorResponse } from "../errors/error-response.ts";
import { HttpError } from "../errors/http-error.ts";
import { commonHeaders } from "../http/common-headers.ts";
import { rawPath } from "../http/raw-path.ts";
import { preview } from "../preview/preview-middleware.ts";
import { routes } from "../routes/all-routes.ts";
import { mountMcp } from "./mcp-stream.ts";
import { mountRoutes } from "./mount-routes.ts";
import { staticAssets } from "./static-assets.ts";

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ getPath: (request) => rawPath(request.url) });
  app.use(preview);
  app.use(commonHeaders);
  app.use(staticAssets);
  app.use(authMiddleware());
  mountRoutes(app, routes);
  mountMcp(app);
  app.notFound((c) => errorResponse(new HttpError("NO_ROUTE", `there is nothing at ${c.req.method} ${c.req.path}`)));
  app.onError((error) => errorResponse(error));
  return app;
}
