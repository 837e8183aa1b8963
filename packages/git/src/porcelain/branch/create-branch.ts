/** Creates a branch, or moves an existing one; for `branch`, `checkout -b` and `switch -c`. */
import { adviceEnabled, hint } from "../../config/advice.ts";
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { reflogIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import { resolveMergeBase } from "../../revision/resolve-merge-base.ts";
import { checkedBranchName, currentBranch, refuseCheckedOut } from "./branch-names.ts";
import { defaultTrackMode, refOfStart, setUpTracking, type TrackMode, trackingTargets } from "./track-branch.ts";

export interface CreateBranchOptions {
  readonly name: string;
  /** Default HEAD. */
  readonly start?: string;
  readonly force?: boolean;
  /** Allows the branch that is checked out: `checkout -B`. */
  readonly overCurrent?: boolean;
  readonly track?: TrackMode;
  readonly quiet?: boolean;
  readonly createReflog?: boolean;
}

export interface CreatedBranch {
  readonly name: string;
  readonly oid: Oid;
  readonly existed: boolean;
  /** "branch 'x' set up to track 'origin/x'."; null: no tracking. */
  readonly tracking: string | null;
}

export async function createBranch(repo: Repository, options: CreateBranchOptions): Promise<CreatedBranch> {
  const name = await checkedBranchName(repo, options.name);
  const full = `refs/heads/${name}`;
  const existed = (await repo.refs.resolve(full))?.oid != null;
  if (existed && !options.force) throw new GitError("EEXIST", `a branch named '${name}' already exists`);
  if (options.force && !options.overCurrent) await refuseCheckedOut(repo, name);
  const start = options.start ?? "HEAD";
  const { oid, ref } = await startPoint(repo, start, options.track);
  const message = existed ? `branch: Reset to ${start}` : `branch: Created from ${start}`;
  await repo.refs.update(
    [{ name: full, to: oid, ...(existed ? {} : { from: null }), message, createReflog: options.createReflog }],
    reflogIdentity(repo),
  );
  const mode = options.track ?? defaultTrackMode(repo);
  const follows = ref !== null && mode !== "never";
  const tracking = follows ? await setUpTracking(repo, name, ref, mode, { quiet: options.quiet }) : null;
  return { name, oid, existed, tracking };
}

async function startPoint(repo: Repository, start: string, track: TrackMode | undefined) {
  const explicit = track === "explicit" || track === "inherit" || track === "always";
  const bases = await resolveMergeBase(repo, start);
  if (bases?.length === 1) {
    if (track === "explicit" || track === "inherit") throw notABranch(start);
    return { oid: bases[0] as Oid, ref: null };
  }
  const found = await findRevision(repo, start, { wanted: "committish" });
  if (!found) {
    if (track === "explicit" || track === "inherit") throw missingUpstream(repo, start);
    const displayed = start === "HEAD" ? await currentBranch(repo) : start;
    throw new GitError("ENOTFOUND", `not a valid object name: '${displayed ?? start}'`);
  }
  const ref = await refOfStart(repo, start);
  if (ref === null && (track === "explicit" || track === "inherit")) throw notABranch(start);
  if (ref !== null && explicit && track !== "always" && trackingTargets(repo, ref).length === 0)
    throw notABranch(start);
  const oid = await peelTo(repo, found.oid, "commit");
  if (oid) return { oid, ref };
  const type = (await repo.odb.header(found.oid))?.type;
  repo.warn?.(`object ${found.oid} is a ${type}, not a commit`, "error");
  throw new GitError("EINVAL", `not a valid branch point: '${start}'`);
}

function notABranch(start: string): GitError {
  return new GitError("EINVAL", `cannot set up tracking information; starting point '${start}' is not a branch`);
}

export function missingUpstream({ config }: Repository, name: string): GitError {
  const text = `
If you are planning on basing your work on an upstream
branch that already exists at the remote, you may need to
run "git fetch" to retrieve it.

If you are planning to push out a new local branch that
will track its remote counterpart, you may want to use
"git push -u" to set the upstream config as you push.
Disable this message with "git config advice.setUpstreamFailure false"`;
  return new GitError("ENOTFOUND", `the requested upstream branch '${name}' does not exist`, {
    ...(adviceEnabled(config, "setUpstreamFailure") ? { hint: hint(text) } : {}),
  });
}
