/** Formats a ref's name by the option of a field. */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { shortenRef } from "../../revision/shorten-ref.ts";
import type { Atom } from "./atom.ts";

/** `:short`, `:lstrip=2`, `:rstrip=-1`. */
export async function refNameForm(repo: Repository, name: string, { option, source }: Atom): Promise<string> {
  if (option === null) return name;
  if (option === "short") return shortenRef(repo, name);
  const [, kind, count] = /^(lstrip|strip|rstrip)=(-?\d+)$/.exec(option) ?? [];
  if (kind === undefined) {
    const what = /^(lstrip|strip|rstrip)=(.*)$/.exec(option);
    if (what) throw new GitError("EINVAL", `Integer value expected ${source.split(":")[0]}:${what[1]}=${what[2]}`);
    throw new GitError("EINVAL", `unrecognized %(${source}) argument: ${option}`);
  }
  const parts = name.split("/");
  const number = Number(count);
  const left = number < 0 ? Math.max(0, parts.length + number) : number;
  if (kind === "rstrip")
    return parts.slice(0, number < 0 ? Math.min(parts.length, -number) : Math.max(0, parts.length - number)).join("/");
  return parts.slice(left).join("/");
}
