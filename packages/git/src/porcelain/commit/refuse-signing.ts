/** Signing is unsupported; if a flag or the configuration requests it, the command fails rather than create an unsigned object. */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";

/** The value of `-S`, of `--no-gpg-sign`, or of neither, in that order. */
export type SigningFlag = string | boolean | undefined;

export function refuseSigning({ config }: Pick<Repository, "config">, flag: SigningFlag): void {
  if (flag === false) return;
  if (flag !== undefined)
    throw new GitError("EUNSUPPORTED", "signing commits is not supported here; commit without -S");
  if (config.getBool("commit.gpgsign"))
    throw new GitError("EUNSUPPORTED", "signing commits (commit.gpgSign) is not supported here; use --no-gpg-sign");
}
