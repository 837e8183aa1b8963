/** `%(upstream)` and `%(push)`: the branch's upstream and its push target. */
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { branchUpstream, configuredPushRemote, pushedAs, pushRef, upstreamRef } from "../../revision/branch-mark.ts";
import { countAheadBehind } from "../status/branch-tracking.ts";
import type { Atom } from "./atom.ts";
import { refNameForm } from "./ref-name-form.ts";

export async function branchAtom(repo: Repository, name: string, atom: Atom): Promise<string> {
  if (!name.startsWith("refs/heads/")) return "";
  const branch = name.slice("refs/heads/".length);
  const options = atom.option?.split(",") ?? [];
  const isPush = atom.name === "push";
  if (options.includes("remotename")) {
    return (isPush ? configuredPushRemote(repo, branch) : branchUpstream(repo, branch).remote) ?? "";
  }
  if (options.includes("remoteref"))
    return (isPush ? pushedAs(repo, branch) : branchUpstream(repo, branch).merge) ?? "";
  const ref = await (isPush ? pushRef(repo, branch) : upstreamRef(repo, branch)).catch((error) => {
    if (error instanceof GitError) return null;
    throw error;
  });
  if (ref === null) return "";
  if (options.includes("track") || options.includes("trackshort")) return track(repo, name, ref, options);
  return refNameForm(repo, ref, atom);
}

async function track(repo: Repository, name: string, upstream: string, options: readonly string[]): Promise<string> {
  const bracket = (text: string) => (options.includes("nobracket") || text === "" ? text : `[${text}]`);
  const ours = (await repo.refs.resolve(name))?.oid;
  const theirs = (await repo.refs.resolve(upstream))?.oid;
  if (!theirs || !ours) return options.includes("trackshort") ? "" : bracket("gone");
  const { ahead, behind } = ours === theirs ? { ahead: 0, behind: 0 } : await countAheadBehind(repo, ours, theirs);
  if (options.includes("trackshort")) return ahead ? (behind ? "<>" : ">") : behind ? "<" : "=";
  const parts = [ahead ? `ahead ${ahead}` : "", behind ? `behind ${behind}` : ""].filter(Boolean);
  return bracket(parts.join(", "));
}
