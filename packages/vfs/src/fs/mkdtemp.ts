/** `mkdtemp`: six random letters after the prefix; tried again in the unlikely case of a clash. */
import type { FsContext } from "../context.ts";
import { FsError } from "../errors.ts";
import { mkdir } from "./mkdir.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

export async function mkdtemp(ctx: FsContext, prefix: string): Promise<string> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const path =
      prefix + Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => LETTERS[byte % LETTERS.length]).join("");
    try {
      await mkdir(ctx, path, { mode: 0o700 });
      return path;
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
      if (error.code !== "EEXIST") throw new FsError(error.code, { syscall: "mkdtemp", path: `${prefix}XXXXXX` });
    }
  }
  throw new FsError("EEXIST", { syscall: "mkdtemp", path: `${prefix}XXXXXX` });
}
