/** Describes the service: `GET /` for people, `GET /api` for programs and health checks, and the OpenAPI document. */
import { z } from "zod";
import { version } from "../../package.json";
import { openApi } from "./openapi.ts";
import { defineRoute, type Route } from "./route.ts";

const apiAnswer = z.object({ name: z.string(), version: z.string(), routes: z.array(z.string()) });

/** These routes describe all the others and themselves. */
export function aboutRoutes(others: readonly Route[]): readonly Route[] {
  const all: Route[] = [
    defineRoute({
      method: "GET",
      path: "/",
      summary: "What to curl",
      access: "authenticated",
      answers: [{ media: "text/plain", description: "examples" }],
      run: async ({ request, principal }) =>
        new Response(usage(new URL(request.url).origin, principal.authMethod === "local"), {
          headers: { "Content-Type": "text/plain;charset=UTF-8" },
        }),
    }),
    defineRoute({
      method: "GET",
      path: "/api",
      summary: "Name, version and routes",
      access: "authenticated",
      answers: [{ schema: apiAnswer }],
      run: async () => Response.json({ name: "workspace", version, routes: all.flatMap(routeNames) }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/openapi.json",
      summary: "This API as an OpenAPI 3.1 document",
      access: "authenticated",
      answers: [{ media: "application/json", description: "the document" }],
      run: async ({ request }) => Response.json(openApi(all, { version, origin: new URL(request.url).origin })),
    }),
  ];
  all.push(...others);
  return all;
}

function routeNames({ method, path }: Route): string[] {
  const shown = path.replace(/\/\*$/, "/*path");
  return method === "GET" && path.endsWith("/*") ? [`GET ${shown}`, `HEAD ${shown}`] : [`${method} ${shown}`];
}

function usage(origin: string, local: boolean): string {
  const api = `${origin}/api/w/demo`;
  const files = `${api}/files`;
  const curl = local ? "curl" : 'curl -H "Authorization: Bearer $WORKSPACE_TOKEN"';
  const json = `${curl} -H "Content-Type: application/json"`;
  return `Workspace ${version}: durable directories for agents. "demo" below is the name of one; any name makes another.

write      ${curl} -T notes.md ${files}/docs/notes.md
read       ${curl} ${files}/docs/notes.md
a part     ${curl} -H "Range: bytes=0-99" ${files}/docs/notes.md
list       ${curl} ${files}/docs/
search     ${json} ${api}/search/grep -d '{"pattern":"TODO"}'
git        ${json} ${api}/git -d '{"argv":["init"]}'
download   ${curl} -o demo.tar "${api}/archive?format=tar"
remove     ${curl} -X DELETE "${files}/docs?recursive=1"
only if new        ${curl} -T notes.md -H "If-None-Match: *" ${files}/docs/notes.md
only if unchanged  ${curl} -T notes.md -H 'If-Match: "<ETag of the answer before>"' ${files}/docs/notes.md
all routes         ${curl} ${origin}/api/openapi.json
`;
}
