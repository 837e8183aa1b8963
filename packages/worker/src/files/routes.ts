/** `/api/w/:name/files/*path`: the URL is taken apart here, once, and each method has a file of its own. */
import { FsError, getWorkspace } from "@cloudflare/workspace";
import { type Context, Hono } from "hono";
import type { AppEnv } from "../env.ts";
import { HttpError } from "../errors/http-error.ts";
import { judgeRead, parsePreconditions } from "../http/preconditions.ts";
import { queryOf } from "../http/query.ts";
import { deleteEntry } from "./delete-entry.ts";
import { parseFilePath } from "./file-path.ts";
import { getFile } from "./get-file.ts";
import { listDirectory } from "./list-directory.ts";
import { locateExisting } from "./locate.ts";
import { putDirectory } from "./put-directory.ts";
import { putFile } from "./put-file.ts";

export const files = new Hono<AppEnv>()
  // HEAD comes this way too; the request itself still says which of the two it is.
  .get("/*", async (c) => {
    const { fs, path, directory, request } = open(c);
    const found = await locateExisting(fs, path);
    if (found.stat.type !== "dir" && directory) throw new FsError("ENOTDIR", { syscall: "open", path });
    if (found.stat.type !== "dir") return getFile(fs, request, path, found);
    // A listing has no tag: its entries change without it.
    const verdict = judgeRead(parsePreconditions(request.headers), {
      version: null,
      modifiedMs: Number.POSITIVE_INFINITY,
    });
    if (verdict === "failed") throw new HttpError("ESTALE", "a listing has no ETag to match", { path });
    if (verdict === "not-modified") return new Response(null, { status: 304 });
    return listDirectory(fs, request, path, found);
  })
  .put("/*", async (c) => {
    const { fs, path, directory, request } = open(c);
    const { type } = queryOf(request.url, ["type"]);
    if (type !== undefined && type !== "directory" && type !== "file") throw unknownType(type);
    if (type === "file" && directory) throw new FsError("EISDIR", { syscall: "open", path });
    return directory || type === "directory" ? putDirectory(fs, request, path) : putFile(fs, request, path);
  })
  .delete("/*", async (c) => {
    const { fs, path, directory, request } = open(c);
    return deleteEntry(fs, request, path, directory);
  })
  .all("/*", (c) => {
    throw new HttpError("METHOD_NOT_ALLOWED", `a file has no ${c.req.method}`, {
      headers: { Allow: "GET, HEAD, PUT, DELETE" },
    });
  });

function open(c: Context<AppEnv>) {
  const { workspace, path, directory } = parseFilePath(c.req.url);
  const { fs } = getWorkspace(c.env.WORKSPACE, workspace, { actor: c.get("actor") });
  return { fs, path, directory, request: c.req.raw };
}

function unknownType(type: string): HttpError {
  return new HttpError("EINVAL", `cannot make a "${type}"`, { hint: "type is file or directory." });
}
