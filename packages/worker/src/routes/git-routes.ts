/** The route of `git`: runs a git command from an argv. */
import { gitBody, gitResponse } from "../api/git.ts";
import { textOrBase64 } from "../http/text-or-base64.ts";
import { workspacePath } from "../http/workspace-path.ts";
import { resolveExisting } from "./files/resolve-path.ts";
import { clientIdentity } from "./logged-identity.ts";
import { defineRoute, type Route } from "./route.ts";
import { streamGit } from "./stream-git.ts";

export const gitRoutes: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/api/w/:name/git",
    summary: "Runs git; with Accept: application/x-ndjson its output and progress are streamed",
    access: "write",
    body: gitBody,
    answers: [{ schema: gitResponse }],
    async run({ request, workspace, object, body }) {
      const { path: cwd } = await resolveExisting(workspace.fs, workspacePath(body.cwd));
      const { callId } = clientIdentity(request);
      if (!request.headers.get("Accept")?.includes("application/x-ndjson")) {
        const run = () => workspace.git.cli({ ...body, cwd });
        const { exitCode, stdout, stderr } = await object.measure({ kind: "gitCli", callId }, run, failed);
        return Response.json({ exitCode, stdout: textOrBase64(stdout), stderr: textOrBase64(stderr) });
      }
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const measured = object.measure(
        { kind: "gitCli", callId },
        () => ended,
        () => false,
      );
      const events = streamGit(workspace, { ...body, cwd }, () => {
        end();
        return measured;
      });
      return new Response(events, { headers: { "Content-Type": "application/x-ndjson; charset=utf-8" } });
    },
  }),
];

/** A command that found nothing, or a difference, did not fail. */
function failed({ exitCode }: { exitCode: number }): boolean {
  return exitCode > 1;
}
