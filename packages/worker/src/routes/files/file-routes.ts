/** `/api/w/:name/files/*path`: parses the URL once; each method has its own file. */
import { FsError } from "@cloudflare/workspace";
import { filesDeleteQuery, filesPutQuery, filesQuery } from "../../api/files.ts";
import { HttpError } from "../../errors/http-error.ts";
import { evaluateRead, parsePreconditions } from "../../http/preconditions.ts";
import { defineRoute, type Route, type RouteContext } from "../route.ts";
import { deleteEntry } from "./delete-entry.ts";
import { parseFilePath } from "./file-path.ts";
import { getFile } from "./get-file.ts";
import { listDirectory } from "./list-directory.ts";
import { putDirectory } from "./put-directory.ts";
import { putFile } from "./put-file.ts";
import { declaredLength } from "./request-body.ts";
import { resolveExisting } from "./resolve-path.ts";

const path = "/api/w/:name/files/*";

/**
 * The runtime drops headers without a value on the way to the object; an empty If-Match is an invalid condition, not an absent one.
 * A body whose declared length is too long is not forwarded.
 */
function guard({ headers, url }: Request): void {
  parsePreconditions(headers);
  declaredLength(headers, parseFilePath(url).path);
}

export const fileRoutes: readonly Route[] = [
  // HEAD uses this route too; the request's method tells the two apart.
  defineRoute({
    method: "GET",
    path,
    summary: "A file's bytes, or a page of a directory's listing (?cursor=, ?limit=)",
    access: "read",
    kind: "readFile",
    guard,
    query: filesQuery,
    answers: [{ media: "*/*", description: "the bytes, or the listing as JSON" }],
    async run(call) {
      const { fs, path, directory, request } = open(call);
      const found = await resolveExisting(fs, path);
      if (found.stat.type !== "dir" && directory) throw new FsError("ENOTDIR", { syscall: "open", path });
      if (found.stat.type !== "dir") return getFile(fs, request, path, found);
      // A listing has no ETag: its entries change independently.
      const verdict = evaluateRead(parsePreconditions(request.headers), {
        version: null,
        modifiedMs: Number.POSITIVE_INFINITY,
      });
      if (verdict === "failed") throw new HttpError("ESTALE", "a listing has no ETag to match", { path });
      if (verdict === "not-modified") return new Response(null, { status: 304 });
      return listDirectory(fs, call.query, path, found);
    },
  }),
  defineRoute({
    method: "PUT",
    path,
    summary: "Writes a file from the body, parents made; with a slash at the end or ?type=directory makes a directory",
    access: "write",
    kind: "writeFile",
    guard,
    query: filesPutQuery,
    body: "bytes",
    answers: [
      { status: 201, media: "*/*", description: "created; ETag is the new version" },
      { status: 204, description: "replaced, or the directory was there" },
    ],
    async run(call) {
      const { fs, path, directory, request } = open(call);
      const { type } = call.query;
      if (type === "file" && directory) throw new FsError("EISDIR", { syscall: "open", path });
      return directory || type === "directory" ? putDirectory(fs, request, path) : putFile(fs, request, path);
    },
  }),
  defineRoute({
    method: "DELETE",
    path,
    summary: "Removes a file, a link or an empty directory; with ?recursive=1 a full one",
    access: "write",
    kind: "rm",
    guard,
    query: filesDeleteQuery,
    answers: [{ status: 204, description: "removed" }],
    async run(call) {
      const { fs, path, directory, request } = open(call);
      const { recursive = "0" } = call.query;
      return deleteEntry(fs, request, path, { directory, recursive: recursive !== "0" && recursive !== "false" });
    },
  }),
];

function open({ request, workspace }: RouteContext<unknown, unknown>) {
  const { path, directory } = parseFilePath(request.url);
  return { fs: workspace.fs, path, directory, request };
}
