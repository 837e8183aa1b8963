/** Where the repositories are, and what is edited in them. The harness serves them; nothing is made here. */
import type { Params } from "../../suite.ts";

export interface Load {
  /** Without a slash at its end. */
  origin: string;
  history: string;
  wide: string;
}

/** A run in small is the warm-up. */
const STANDARD_FILES = 2000;

export function load({ gitOrigin, files }: Params): Load {
  if (gitOrigin === undefined) throw new Error("the harness has started no git server");
  const small = files < STANDARD_FILES;
  return { origin: gitOrigin, history: small ? "small" : "history", wide: small ? "small" : "wide" };
}
