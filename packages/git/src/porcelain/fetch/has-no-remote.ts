/** No remote is configured for a fetch that names none: neither the branch's, nor "origin" or a single other one. */
import type { Repository } from "../../repository.ts";
import { defaultRemote } from "../../wire/remote-config.ts";
import { currentBranch } from "../branch/branch-names.ts";

export async function hasNoRemote(repo: Repository): Promise<boolean> {
  const branch = await currentBranch(repo);
  if (branch !== null && repo.config.get(`branch.${branch}.remote`) !== undefined) return false;
  return !repo.config.subsections("remote").includes(defaultRemote(repo.config, branch));
}
