/** Shortens the name of a ref to the shortest unambiguous form. */
import { REF_RULES } from "../refs/ref-name.ts";
import type { Repository } from "../repository.ts";
import { warnsAmbiguous } from "./expand-ref.ts";

const PATTERNS = [null, /^refs\/(.+)$/, /^refs\/tags\/(.+)$/, /^refs\/heads\/(.+)$/, /^refs\/remotes\/(.+)$/] as const;

/** `strict`: no other ref may have the short name at all; else none that is found before it. */
export async function shortenRef(
  repo: Pick<Repository, "refs" | "config">,
  name: string,
  strict = warnsAmbiguous(repo),
): Promise<string> {
  for (let i = PATTERNS.length - 1; i > 0; i--) {
    const short = PATTERNS[i]?.exec(name)?.[1];
    if (short === undefined) continue;
    let taken = false;
    for (let j = 0; j < (strict ? REF_RULES.length : i) && !taken; j++) {
      if (j === i) continue;
      const other = (REF_RULES[j] as (short: string) => string)(short);
      taken = (await repo.refs.read(other)) !== null;
    }
    if (!taken) return short;
  }
  return name;
}
