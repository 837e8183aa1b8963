/**
 * A staging directory outside the workspace's root: an archive too large for memory is assembled here, then copied into place in
 * one transaction, which shares the contents. A later upload removes leftovers of an interrupted one.
 */
import type { FileSystem } from "@cloudflare/workspace";
import { LIMITS } from "../../limits.ts";

const HOME = "/.uploads";

export class Staging implements AsyncDisposable {
  readonly path: string;
  readonly #fs: FileSystem;

  private constructor(fs: FileSystem, path: string) {
    this.#fs = fs;
    this.path = path;
  }

  static async open(fs: FileSystem): Promise<Staging> {
    const now = Date.now();
    const staging = new Staging(fs, `${HOME}/${now}-${crypto.randomUUID()}`);
    await fs.mkdir(`${staging.path}/tree`, { recursive: true });
    for (const { name } of await fs.scan(HOME)) {
      const lost = Number.parseInt(name, 10) < now - LIMITS.stagingMs;
      if (lost) await fs.rm(`${HOME}/${name}`, { recursive: true, force: true });
    }
    return staging;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fs.rm(this.path, { recursive: true, force: true });
  }
}
