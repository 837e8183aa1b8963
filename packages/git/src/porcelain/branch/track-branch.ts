/** The upstream of a branch: `branch.<name>.remote` and `.merge`, and the line git prints about it. */
import { advice } from "../../config/advice.ts";
import { setLocalConfig } from "../../config/write-config.ts";
import { GitError } from "../../errors.ts";
import type { Repository } from "../../repository.ts";
import { branchUpstream, interpretBranchName } from "../../revision/branch-mark.ts";
import { expandRef } from "../../revision/expand-ref.ts";
import { fillPattern, matchPattern, parseRefspec } from "../../wire/refspec.ts";

export type TrackMode = "never" | "remote" | "always" | "explicit" | "inherit" | "simple";

/** `branch.autoSetupMerge`: by default a branch created from a remote-tracking ref tracks it. */
export function defaultTrackMode({ config }: Pick<Repository, "config">): TrackMode {
  const setting = config.get("branch.autosetupmerge")?.toLowerCase();
  if (setting === "always" || setting === "inherit" || setting === "simple") return setting;
  return (config.getBool("branch.autosetupmerge") ?? true) ? "remote" : "never";
}

export interface TrackTarget {
  readonly remote: string;
  readonly merge: string;
}

/** The upstream that `ref` stands for: its remote, and its name there. Empty: `ref` cannot be tracked. */
export function trackingTargets({ config }: Pick<Repository, "config">, ref: string): readonly TrackTarget[] {
  const found: TrackTarget[] = [];
  for (const remote of config.subsections("remote")) {
    for (const spec of config.getAll(`remote.${remote}.fetch`)) {
      const { source, target } = parseRefspec(spec, "fetch");
      const part = target ? matchPattern(target, ref) : null;
      if (part === null) continue;
      found.push({ remote, merge: fillPattern(source, part) });
      break;
    }
  }
  return found.length === 0 && ref.startsWith("refs/heads/") ? [{ remote: ".", merge: ref }] : found;
}

/** The line to print; null: nothing was set up. */
export async function setUpTracking(
  repo: Repository,
  branch: string,
  ref: string,
  mode: TrackMode,
  { quiet = false }: { quiet?: boolean } = {},
): Promise<string | null> {
  const targets = trackingTargets(repo, ref);
  let target = targets[0];
  if (mode === "inherit") {
    const short = ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : null;
    const followed = short === null ? null : branchUpstream(repo, short);
    if (!followed?.remote || !followed.merge) {
      repo.warn?.(`asked to inherit tracking from '${short ?? ref}', but no remote is set`);
      return null;
    }
    target = { remote: followed.remote, merge: followed.merge };
  }
  if (!target) return null;
  if (targets.length > 1 && mode !== "inherit") throw ambiguousTarget(repo, ref, targets);
  if (mode === "simple" && target.merge !== `refs/heads/${branch}`) return null;
  if (target.remote === "." && mode === "remote") return null;
  return followTarget(repo, branch, target, { quiet });
}

function ambiguousTarget({ config }: Repository, ref: string, targets: readonly TrackTarget[]): GitError {
  const text = `There are multiple remotes whose fetch refspecs map to the remote
tracking ref '${ref}':
${targets.map(({ remote }) => `  ${remote}\n`).join("")}
This is typically a configuration error.

To support setting up tracking branches, ensure that
different remotes' fetch refspecs map into different
tracking namespaces.`;
  return new GitError("EAMBIGUOUS", `not tracking: ambiguous information for ref '${ref}'`, {
    hint: advice(config, "ambiguousFetchRefspec", text),
  });
}

export async function followTarget(
  repo: Repository,
  branch: string,
  { remote, merge }: TrackTarget,
  { quiet = false }: { quiet?: boolean } = {},
): Promise<string | null> {
  const shortName = merge.startsWith("refs/heads/") ? merge.slice("refs/heads/".length) : null;
  if (remote === "." && shortName === branch) {
    repo.warn?.(`not setting branch '${branch}' as its own upstream`);
    return null;
  }
  const rebase = rebases(repo, remote === ".");
  await setLocalConfig(repo, [
    { key: `branch.${branch}.remote`, value: remote },
    { key: `branch.${branch}.merge`, value: merge },
    ...(rebase ? [{ key: `branch.${branch}.rebase`, value: "true" }] : []),
  ]);
  if (quiet) return null;
  const displayed = remote === "." ? (shortName ?? merge) : shortName === null ? merge : `${remote}/${shortName}`;
  return `branch '${branch}' set up to track '${displayed}'${rebase ? " by rebasing" : ""}.`;
}

function rebases({ config }: Repository, local: boolean): boolean {
  const setting = config.get("branch.autosetuprebase")?.toLowerCase();
  return setting === "always" || setting === (local ? "local" : "remote");
}

/** The ref that a start point names, if it can be tracked. */
export async function refOfStart(repo: Repository, start: string): Promise<string | null> {
  const name = await interpretBranchName(repo, start);
  const ref = name === null ? null : await expandRef(repo, name);
  if (!ref) return null;
  if (ref.count > 1) throw new GitError("EAMBIGUOUS", `ambiguous object name: '${start}'`);
  return ref.resolved;
}
