/** What this is and how to talk to it: `GET /` for people, `GET /api` for programs and for checks of health. */
import { Hono } from "hono";
import { version } from "../../package.json";
import type { AppEnv } from "../env.ts";

/** Every route, as the README's table lists them. */
const ROUTES = [
  "GET /",
  "GET /api",
  "GET /api/w/:name/files/*path",
  "HEAD /api/w/:name/files/*path",
  "PUT /api/w/:name/files/*path",
  "DELETE /api/w/:name/files/*path",
];

export const about = new Hono<AppEnv>()
  .get("/", (c) => c.text(usage(new URL(c.req.url).origin, c.get("actor") === "http:local")))
  .get("/api", (c) => c.json({ name: "workspace", version, routes: ROUTES }));

function usage(origin: string, local: boolean): string {
  const files = `${origin}/api/w/demo/files`;
  const curl = local ? "curl" : 'curl -H "Authorization: Bearer $WORKSPACE_TOKEN"';
  return `Workspace ${version}: durable directories for agents. "demo" below is the name of one; any name makes another.

write      ${curl} -T notes.md ${files}/docs/notes.md
read       ${curl} ${files}/docs/notes.md
a part     ${curl} -H "Range: bytes=0-99" ${files}/docs/notes.md
list       ${curl} ${files}/docs/
remove     ${curl} -X DELETE "${files}/docs?recursive=1"
only if new        ${curl} -T notes.md -H "If-None-Match: *" ${files}/docs/notes.md
only if unchanged  ${curl} -T notes.md -H 'If-Match: "<ETag of the answer before>"' ${files}/docs/notes.md
`;
}
