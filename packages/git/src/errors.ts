/**
 * One class for all of git's errors. `message` is what git prints after "fatal: " or "error: ", `exitCode` its exit code; the
 * command line adds the prefix, the typed methods throw the error unchanged.
 */

import { maskMessage } from "./text/control-characters.ts";

export type GitErrorCode =
  /** Not a repository, or a broken one. */
  | "ENOREPO"
  | "ECORRUPT"
  /** A revision, ref, path or object that does not exist. */
  | "ENOTFOUND"
  | "EAMBIGUOUS"
  | "EEXIST"
  /** An invalid request: an argument, a name, a combination. */
  | "EINVAL"
  /** The command line itself: unknown option, missing value (exit 129). */
  | "EUSAGE"
  /** The state forbids it: unmerged paths, local changes in the way, a rebase in progress. */
  | "ESTATE"
  | "ECONFLICT"
  | "ELOCKED"
  /** A ref did not have its expected value. */
  | "ESTALE"
  /** Over the budget of `limits`. */
  | "ETOOBIG"
  | "ENETWORK"
  | "EAUTH"
  | "EREJECTED"
  /** Not supported: hooks, signatures, ssh, an editor. */
  | "EUNSUPPORTED";

export interface GitErrorOptions extends ErrorOptions {
  /** Default 128; 129 for EUSAGE. */
  exitCode?: number;
  /** git's prefix of the message; default "fatal". */
  prefix?: "fatal" | "error" | "";
  /** Lines that follow verbatim on stderr: hints, usage. */
  hint?: string;
}

export class GitError extends Error {
  override readonly name = "GitError";
  readonly exitCode: number;
  readonly prefix: "fatal" | "error" | "";
  readonly hint: string | undefined;

  constructor(
    readonly code: GitErrorCode,
    message: string,
    { exitCode, prefix, hint, ...options }: GitErrorOptions = {},
  ) {
    super(maskMessage(message), options);
    this.exitCode = exitCode ?? (code === "EUSAGE" ? 129 : 128);
    this.prefix = prefix ?? (code === "EUSAGE" ? "error" : "fatal");
    this.hint = hint;
  }
}
