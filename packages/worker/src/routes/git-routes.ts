/** `git`: an argv, as on a command line. */
import { gitBody, gitResponse } from "../api/git.ts";
import { textOrBase64 } from "../http/text-or-base64.ts";
import { workspacePath } from "../http/workspace-path.ts";
import { workspaceStub } from "../workspace-stub.ts";
import { resolveExisting } from "./files/resolve-path.ts";
import { loggedIdentity } from "./logged-identity.ts";
import { defineRoute, type Route } from "./route.ts";

export const gitEndpoints: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/api/w/:name/git",
    summary: "Runs git; with Accept: application/x-ndjson its output and progress are streamed",
    access: "write",
    body: gitBody,
    answers: [{ schema: gitResponse }],
    async run({ request, env, name, principal, workspace, body }) {
      const { path: cwd } = await resolveExisting(workspace.fs, workspacePath(body.cwd));
      if (!request.headers.get("Accept")?.includes("application/x-ndjson")) {
        const { exitCode, stdout, stderr } = await workspace.git.cli({ ...body, cwd });
        return Response.json({ exitCode, stdout: textOrBase64(stdout), stderr: textOrBase64(stderr) });
      }
      const identity = loggedIdentity(request, principal);
      const events = await workspaceStub(env, name).gitStream({ ...body, cwd, identity });
      return new Response(events, { headers: { "Content-Type": "application/x-ndjson; charset=utf-8" } });
    },
  }),
];
