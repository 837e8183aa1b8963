/** `git`: an argv, as on a command line. */
import { gitAnswer, gitBody } from "../api/git.ts";
import { type Endpoint, endpoint } from "../endpoint/endpoint.ts";
import { identityOf } from "../endpoint/identity-of.ts";
import { locateExisting } from "../files/locate.ts";
import { outputText } from "../http/output-text.ts";
import { objectOf } from "../object-of.ts";
import { workspacePath } from "../path/workspace-path.ts";

export const gitEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "POST",
    path: "/api/w/:name/git",
    summary: "Runs git; with Accept: application/x-ndjson its output and progress are streamed",
    access: "write",
    body: gitBody,
    answers: [{ schema: gitAnswer }],
    async run({ request, env, name, visitor, workspace, body }) {
      const { path: cwd } = await locateExisting(workspace.fs, workspacePath(body.cwd));
      if (!request.headers.get("Accept")?.includes("application/x-ndjson")) {
        const { exitCode, stdout, stderr } = await workspace.git.cli({ ...body, cwd });
        return Response.json({ exitCode, stdout: outputText(stdout), stderr: outputText(stderr) });
      }
      const identity = identityOf(request, visitor);
      const events = await objectOf(env, name).gitStream({ ...body, cwd, identity });
      return new Response(events, { headers: { "Content-Type": "application/x-ndjson; charset=utf-8" } });
    },
  }),
];
