/**
 * PUT of a file. The body is streamed into rows that nobody sees and becomes the file in one transaction, which also checks that the
 * file is still what the request's conditions were judged by. Parents are made when the whole body has arrived, just before that
 * transaction; should it fail after all, those made here are taken back.
 */
import { type FileSystem, FsError, type WriteResult } from "@cloudflare/workspace";
import { entityTag } from "../http/entity-tag.ts";
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
  /** The highest directory made. */
  #first: string | undefined;

  constructor(fs: FileSystem, at: ResolvedPath | MissingPath) {
    this.#fs = fs;
    this.#parent = at.stat === null ? at.missingParent : null;
  }

  async make(): Promise<void> {
    if (this.#parent !== null) this.#first = await this.#fs.mkdir(this.#parent, { recursive: true });
  }

  /** Only what is still empty goes: others may be using it by now. */
  async rollback(): Promise<void> {
    if (this.#first === undefined || this.#parent === null) return;
    try {
      for (let at = this.#parent; at.length >= this.#first.length; at = dirname(at)) await this.#fs.rmdir(at);
    } catch {
      // In use, or gone.
    }
  }
}
