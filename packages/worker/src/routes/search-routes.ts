/** The routes of the searches: `search/glob` and `search/grep`. */
import { globQuery, globResponse, grepBody } from "../api/search.ts";
import { HttpError } from "../errors/http-error.ts";
import { ndjson } from "../http/ndjson.ts";
import { isInside, workspacePath } from "../http/workspace-path.ts";
import { resolveExisting } from "./files/resolve-path.ts";
import { defineRoute, type Route } from "./route.ts";
import { streamGrep } from "./stream-grep.ts";

const DEFAULT_PATHS = 1000;

export const searchRoutes: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/w/:name/search/glob",
    summary: "Paths that match a glob, in byte order",
    access: "read",
    kind: "glob",
    query: globQuery,
    answers: [{ schema: globResponse }],
    async run({ workspace: { fs }, query }) {
      const { pattern, limit = DEFAULT_PATHS, ...options } = query;
      const { path: cwd } = await resolveExisting(fs, workspacePath(query.cwd));
      const paths = await fs.glob(pattern, { ...options, cwd });
      if (paths.some(leavesRoot)) throw new HttpError("EACCES", "this pattern leads out of the workspace's root");
      return Response.json({ paths: paths.slice(0, limit), truncated: paths.length > limit });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/w/:name/search/grep",
    summary: "Lines that match, streamed as they are found",
    access: "read",
    kind: "grep",
    body: grepBody,
    answers: [{ media: "application/x-ndjson", description: "a line per hit, then one of type end, or error" }],
    async run({ workspace: { fs }, body: { pattern, path, ...options } }) {
      const found = await resolveExisting(fs, workspacePath(path));
      const events = streamGrep(fs, pattern, found.path, options);
      // An invalid pattern is refused with a status, before anything is sent.
      const first = await events.next();
      return ndjson(
        (async function* () {
          if (!first.done) yield first.value;
          yield* events;
        })(),
      );
    },
  }),
];

function leavesRoot(path: string): boolean {
  return path.startsWith("/") ? !isInside(path) : path.split("/").includes("..");
}
