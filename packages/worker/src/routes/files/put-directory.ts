/**
 * PUT of a directory (`…/name/` or `?type=directory`) creates it and its parents in one transaction. An existing one is unchanged.
 */
import { type FileSystem, FsError } from "@cloudflare/workspace";
import { HttpError } from "../../errors/http-error.ts";
import { declaredLength, limitedBody } from "./request-body.ts";
import { requiredVersion } from "./required-version.ts";
import { resolvePath } from "./resolve-path.ts";

export async function putDirectory(fs: FileSystem, request: Request, requested: string): Promise<Response> {
  await requireEmptyBody(request, requested);
  const at = await resolvePath(fs, requested);
  const ifVersion = requiredVersion(request.headers, requested, at);
  if (at.stat !== null && at.stat.type !== "dir") throw new FsError("EEXIST", { syscall: "mkdir", path: requested });
  if (at.stat !== null) return new Response(null, { status: 204 });
  const created = await make(fs, at.path, ifVersion);
  return new Response(null, { status: created ? 201 : 204 });
}

/** False if another request created it first and there was no condition. With a version, `mkdir` itself needs existing parents. */
async function make(fs: FileSystem, path: string, ifVersion: string | null | undefined): Promise<boolean> {
  if (ifVersion === undefined) return (await fs.mkdir(path, { recursive: true })) !== undefined;
  await fs.writeMany([{ type: "dir", path, ifVersion }]);
  return true;
}

async function requireEmptyBody(request: Request, path: string): Promise<void> {
  const declared = declaredLength(request.headers, path);
  for await (const chunk of limitedBody(request.body, { path, declared })) {
    if (chunk.byteLength > 0)
      throw new HttpError("EINVAL", "a directory has no body", {
        path,
        hint: "To write a file, leave out the slash at the end.",
      });
  }
}
