/**
 * PUT of a file. The body streams into invisible rows and becomes the file in one transaction, which also checks that the file
 * still has the version that the request's conditions were evaluated against. Parents are created once the whole body has arrived,
 * just before that transaction; if it fails, they are removed again.
 */
import { type FileSystem, FsError, type WriteResult } from "@cloudflare/workspace";
import { entityTag } from "../../http/entity-tag.ts";
import { declaredLength, limitedBody, shortBody } from "./request-body.ts";
import { requiredVersion } from "./required-version.ts";
import { dirname, type MissingPath, type ResolvedPath, resolvePath } from "./resolve-path.ts";

export async function putFile(fs: FileSystem, request: Request, requested: string): Promise<Response> {
  const declared = declaredLength(request.headers, requested);
  const at = await resolvePath(fs, requested);
  const ifVersion = requiredVersion(request.headers, requested, at);
  if (at.stat?.type === "dir") throw new FsError("EISDIR", { syscall: "open", path: requested });
  const created = new CreatedParents(fs, at);
  const rules = { path: requested, declared, complete: () => created.make() };
  let written: WriteResult;
  try {
    const short = await shortBody(request, rules);
    if (short !== null) await created.make();
    const content = short ?? limitedBody(request.body, rules);
    written = await fs.writeFile(at.path, content, { ifVersion });
  } catch (error) {
    await created.rollback();
    throw error;
  }
  const headers = { ETag: entityTag(written.version) };
  return new Response(null, { status: at.stat === null ? 201 : 204, headers });
}

class CreatedParents {
  readonly #fs: FileSystem;
  readonly #parent: string | null;
  /** The topmost directory created. */
  #first: string | undefined;

  constructor(fs: FileSystem, at: ResolvedPath | MissingPath) {
    this.#fs = fs;
    this.#parent = at.stat === null ? at.missingParent : null;
  }

  async make(): Promise<void> {
    if (this.#parent !== null) this.#first = await this.#fs.mkdir(this.#parent, { recursive: true });
  }

  /** Removes only directories that are still empty: others may be using them by now. */
  async rollback(): Promise<void> {
    if (this.#first === undefined || this.#parent === null) return;
    try {
      for (let at = this.#parent; at.length >= this.#first.length; at = dirname(at)) await this.#fs.rmdir(at);
    } catch {
      // In use, or already removed.
    }
  }
}
