/** Verbs with two paths name both in every error, whichever of them failed, as Node does. */
import { FsError, type FsErrorFields } from "../api/errors.ts";
import { refused } from "../policy/require-change.ts";

export function withDest<T>({ syscall, path, dest }: FsErrorFields, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!(error instanceof FsError) || error.dest !== undefined || error.code === "EIO") throw error;
    if (error.refusal !== undefined) throw refused(error.refusal, { syscall, path, dest, cause: error });
    const reason = error.code === "ESTALE" ? `'${error.path}' is not at the given version` : undefined;
    throw new FsError(error.code, { syscall, path, dest, reason, cause: error });
  }
}
