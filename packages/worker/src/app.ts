/**
 * The whole HTTP surface: first the headers that every answer bears, then the door, then the routes, each a small app of its own.
 * Routes are matched on the path as it was sent, undecoded: what a route means by it is decoded once, by that route.
 */
import { Hono } from "hono";
import { about } from "./about/routes.ts";
import { door } from "./auth/door.ts";
import type { AppEnv } from "./env.ts";
import { errorResponse } from "./errors/error-response.ts";
import { HttpError } from "./errors/http-error.ts";
import { files } from "./files/routes.ts";
import { commonHeaders } from "./http/common-headers.ts";
import { rawPath } from "./http/raw-path.ts";

export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>({ getPath: (request) => rawPath(request.url) });
  app.use(commonHeaders);
  app.use(door);
  app.route("/", about);
  app.route("/api/w/:name/files", files);
  app.notFound((c) => errorResponse(new HttpError("NO_ROUTE", `there is nothing at ${c.req.method} ${c.req.path}`)));
  app.onError((error) => errorResponse(error));
  return app;
}
