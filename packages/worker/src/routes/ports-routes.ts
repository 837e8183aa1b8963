/** `ports`: the exposed ports of the container and their addresses. Every returned address is a fresh link. */
import { portBody, port as portSchema, portsResponse } from "../api/ports.ts";
import { HttpError } from "../errors/http-error.ts";
import { rawPath } from "../http/raw-path.ts";
import { previewOrigin, previewUrl } from "../preview/preview-url.ts";
import { defineRoute, type Route, type RouteContext } from "./route.ts";

const path = "/api/w/:name/ports";

export const portRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path,
    summary: "The ports that are shown, each with a fresh link",
    access: "write",
    kind: "shellPorts",
    answers: [{ schema: portsResponse }],
    async run(call) {
      const shown = await call.workspace.shell.ports();
      return Response.json({ ports: await Promise.all(shown.map(({ port }) => described(call, port))) });
    },
  }),
  defineRoute({
    method: "POST",
    path,
    summary: "Shows a port of the container on a hostname of its own",
    access: "write",
    kind: "shellExposePort",
    body: portBody,
    answers: [{ status: 201, schema: portSchema }],
    async run(call) {
      const answer = await described(call, call.body.port);
      await call.workspace.shell.exposePort(call.body.port);
      return Response.json(answer, { status: 201 });
    },
  }),
  defineRoute({
    method: "GET",
    path: `${path}/:port/*`,
    summary: "Leads to a port that is shown: at this path, on its own hostname, which the link opens once",
    access: "write",
    kind: "shellPorts",
    answers: [{ status: 302, description: "Location is the preview" }],
    async run(call) {
      const port = portOf(call.param("port"));
      const shown = await call.workspace.shell.ports();
      if (!shown.some((one) => one.port === port))
        throw new HttpError("ENOENT", `the port ${port} is not shown`, { hint: "POST ports { port } shows it." });
      const { url } = await described(call, port);
      return new Response(null, { status: 302, headers: { Location: below(url, call.request.url) } });
    },
  }),
  defineRoute({
    method: "DELETE",
    path: `${path}/:port`,
    summary: "Shows a port no more",
    access: "write",
    kind: "shellUnexposePort",
    answers: [{ status: 204, description: "not shown any more" }],
    async run(call) {
      await call.workspace.shell.unexposePort(portOf(call.param("port")));
      return new Response(null, { status: 204 });
    },
  }),
];

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new HttpError("EINVAL", "not a port");
  return port;
}

/** The preview's address with the rest of the path after the port. */
function below(preview: string, requested: string): string {
  const [, rest = "/"] = /^\/api\/w\/[^/]+\/ports\/[^/]+(\/.*)?$/.exec(rawPath(requested)) ?? [];
  const [place = "", link = ""] = preview.split("/?");
  const { search } = new URL(requested);
  return `${place}${rest}${search === "" ? "?" : `${search}&`}${link}`;
}

async function described(
  { client, env, name, principal }: RouteContext<unknown, unknown>,
  port: number,
): Promise<{ port: number; url: string }> {
  const place = previewOrigin(client, env, principal.scope);
  if (place === null)
    throw new HttpError("ENOSYS", "this deployment has no hostname for previews", {
      hint: "Set PREVIEW_HOST to a domain whose subdomains all lead to this Worker, and which is not the API's own.",
    });
  return { port, url: await previewUrl(env, name, port, place) };
}
