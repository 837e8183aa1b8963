/** `mkdtemp`: six random letters after the prefix; retried in the unlikely case of a clash. */

import { FsError } from "../api/errors.ts";
import type { NameEncoding, TemporaryDirectory } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { refused } from "../policy/require-change.ts";
import type { FsContext } from "../volume/context.ts";
import { mkdir } from "./mkdir.ts";
import { rm } from "./remove.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export async function mkdtemp(ctx: FsContext, prefix: string, options?: NameEncoding): Promise<string> {
  optionsOf("mkdtemp", options, prefix);
  for (let attempt = 0; attempt < 100; attempt++) {
    const path =
      prefix + Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => LETTERS[byte % LETTERS.length]).join("");
    try {
      await mkdir(ctx, path, { mode: 0o700 });
      return path;
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
      if (error.refusal !== undefined)
        throw refused(error.refusal, { syscall: "mkdtemp", path: `${prefix}XXXXXX`, cause: error });
      if (error.code !== "EEXIST") throw new FsError(error.code, { syscall: "mkdtemp", path: `${prefix}XXXXXX` });
    }
  }
  throw new FsError("EEXIST", { syscall: "mkdtemp", path: `${prefix}XXXXXX` });
}

export async function mkdtempDisposable(
  ctx: FsContext,
  prefix: string,
  options?: NameEncoding,
): Promise<TemporaryDirectory> {
  return temporaryDirectory(await mkdtemp(ctx, prefix, options), (path) =>
    rm(ctx, path, { recursive: true, force: true }),
  );
}

/** A directory that disposal removes, with everything in it by then. */
export function temporaryDirectory(path: string, remove: (path: string) => Promise<void>): TemporaryDirectory {
  return { path, remove: () => remove(path), [Symbol.asyncDispose]: () => remove(path) };
}
