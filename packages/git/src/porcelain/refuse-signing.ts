/** Signing is never done here; when it is asked for, by a flag or by configuration, nothing unsigned is made in its place. */
import { GitError } from "../errors.ts";
import type { Repository } from "../repository.ts";

/** What `-S`, `--no-gpg-sign` or neither say, in that order. */
export type SigningFlag = string | boolean | undefined;

export function refuseSigning({ config }: Pick<Repository, "config">, flag: SigningFlag): void {
  if (flag === false) return;
  if (flag !== undefined)
    throw new GitError("EUNSUPPORTED", "signing commits is not supported here; commit without -S");
  if (config.getBool("commit.gpgsign"))
    throw new GitError("EUNSUPPORTED", "signing commits (commit.gpgSign) is not supported here; use --no-gpg-sign");
}
