/**
 * One class for everything git refuses. `message` is what git would print after "fatal: " or "error: ", `exitCode` what it would
 * exit with; the command line adds the prefix, the typed methods throw it as it is.
 */

import { maskMessage } from "./control-characters.ts";

export type GitErrorCode =
  /** Not a repository, or a broken one. */
  | "ENOREPO"
  | "ECORRUPT"
  /** A revision, ref, path or object that is not there. */
  | "ENOTFOUND"
  | "EAMBIGUOUS"
  | "EEXIST"
  /** What was asked makes no sense: an argument, a name, a combination. */
  | "EINVAL"
  /** The command line itself: unknown option, missing value (exit 129). */
  | "EUSAGE"
  /** The state forbids it: unmerged paths, local changes in the way, a rebase under way. */
  | "ESTATE"
  | "ECONFLICT"
  | "ELOCKED"
  /** A ref was not what it had to be. */
  | "ESTALE"
  /** Over the budget of `limits`. */
  | "ETOOBIG"
  | "ENETWORK"
  | "EAUTH"
  | "EREJECTED"
  /** Never done here: hooks, signatures, ssh, an editor. */
  | "EUNSUPPORTED";

export interface GitErrorOptions extends ErrorOptions {
  /** Default 128; 129 for EUSAGE. */
  exitCode?: number;
  /** What git puts before the message; default "fatal". */
  prefix?: "fatal" | "error" | "";
  /** Lines that follow on stderr as they are: hints, usage. */
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
