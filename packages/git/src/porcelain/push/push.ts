/**
 * Sends commits to a remote and requests ref updates. Rejects impossible updates before anything is sent; reports the server's
 * answer for each ref, and updates tracking refs only for refs that the server accepted.
 */

import { GitError } from "../../errors.ts";
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import { checkHooks } from "../../repository/hooks.ts";
import type { Repository } from "../../repository.ts";
import { openReceive } from "../../wire/open-connection.ts";
import type { Refspec } from "../../wire/refspec.ts";
import type { RemoteConfig } from "../../wire/remote-config.ts";
import { anonymousUrl } from "../../wire/remote-url.ts";
import { RemoteMessagePrinter } from "../../wire/sideband.ts";
import { checkPushUpdate } from "./check-push-update.ts";
import { matchPushRefs } from "./match-push-refs.ts";
import { type PackForPush, packForPush } from "./pack-for-push.ts";
import { updateTrackingRefs } from "./track-moves.ts";

export interface PushOptions {
  readonly cwd: string;
  readonly remote: RemoteConfig;
  readonly url: string;
  readonly refspecs: readonly Refspec[];
  readonly force?: boolean;
  readonly atomic?: boolean;
  readonly dryRun?: boolean;
  readonly followTags?: boolean;
  readonly prune?: boolean;
  readonly quiet?: boolean;
  /** Skips the `pre-push` hook. */
  readonly noVerify?: boolean;
  /** Sends deltas against objects the remote has; default true. */
  readonly thin?: boolean;
  readonly pushOptions?: readonly string[];
  /** The value that a ref must have on the remote; "tracking": that of our tracking ref; null: no lease. */
  readonly lease?: (name: string) => Oid | "tracking" | null;
  /** A lease on the tracking ref holds only if the branch's reflog includes its value. */
  readonly ifIncludes?: boolean;
  readonly err?: (text: string) => void;
  /** Progress as git prints it. */
  readonly progress?: (text: string) => void;
}

/** The error if the remote reports no status for a ref. */
export const UNREPORTED = "remote failed to report status";

export type PushKind = "new" | "fast-forward" | "forced" | "deleted" | "same" | "rejected" | "remote-rejected";

export interface PushedRef {
  /** The tracking ref that moved along. */
  readonly tracking?: string;
  readonly kind: PushKind;
  /** Null: a deletion. */
  readonly source: string | null;
  readonly target: string;
  readonly from: Oid;
  readonly to: Oid;
  readonly reason?: string;
}

export async function push(repo: Repository, options: PushOptions): Promise<PushedRef[]> {
  const err = options.err ?? (() => {});
  await checkHooks(repo, "push", { noVerify: options.noVerify });
  const connection = await openReceive({ ...repo, cwd: options.cwd }, options.url, err);
  if (options.pushOptions?.length && !connection.canPushOptions)
    throw new GitError(
      "EUNSUPPORTED",
      "the receiving end does not support push options",
      hungUp(connection.isLocal, options.url),
    );
  const theirs = new Map(connection.refs.map((ref) => [ref.name, ref]));
  const pushUpdates = await matchPushRefs(repo, options, theirs).catch((error) => {
    if (!(error instanceof GitError) || error.exitCode !== 1) throw error;
    throw new GitError(error.code, error.message, { prefix: "error", ...failed(options.url) });
  });
  const judged: PushedRef[] = [];
  for (const pushUpdate of pushUpdates)
    judged.push(await checkPushUpdate(repo, pushUpdate, theirs.get(pushUpdate.target)?.oid ?? ZERO_OID, options));
  const rejects = judged.some(({ kind }) => kind === "rejected");
  if (options.atomic && !connection.canAtomic)
    throw new GitError("EUNSUPPORTED", "the receiving end does not support --atomic push");
  if (options.atomic && rejects && connection.isLocal) {
    const first = judged.find(({ kind }) => kind === "rejected") as PushedRef;
    const status = STATUSES[first.reason ?? ""] ?? 2;
    err(`error: atomic push failed for ref ${first.target}. status: ${status}\n\n${HUNG_UP}`);
  }
  if (options.atomic && rejects)
    return judged.map((ref) => (isMoved(ref) ? { ...ref, kind: "rejected", reason: "atomic push failed" } : ref));
  const moving = judged.filter(isMoved);
  if (options.dryRun) return judged;
  const follow = async (refs: readonly PushedRef[]): Promise<PushedRef[]> => {
    const taken = refs.filter((ref) => ref.kind === "same" || isMoved(ref));
    const tracked = await updateTrackingRefs(repo, options.remote, taken);
    return refs.map((ref) => ({ ...ref, ...(tracked.has(ref.target) ? { tracking: tracked.get(ref.target) } : {}) }));
  };
  if (theirs.size === 0 && judged.length === 0) {
    err("No refs in common and none specified; doing nothing.\nPerhaps you should specify a branch.\n");
    if (connection.isLocal) throw new GitError("EREJECTED", HUNG_UP.slice("fatal: ".length, -1), failed(options.url));
  }
  if (moving.length === 0) return follow(judged);
  const haves = [...connection.refs.flatMap(({ oid }) => (oid === null ? [] : [oid])), ...connection.extraHaves];
  const wants = moving.filter(({ to }) => to !== ZERO_OID).map(({ to }) => to);
  const text = new RemoteMessagePrinter(err);
  const { supportsOfsDelta, supportsThinPack } = connection;
  const thin = supportsThinPack && (options.thin ?? true);
  const pack: PackForPush = { wants, haves, thin, takesOffsets: supportsOfsDelta, progress: options.progress };
  const report = await connection.push(
    {
      commands: moving.map(({ target, from, to }) => ({ name: target, from, to })),
      pack: wants.length === 0 ? null : () => packForPush(repo, pack),
      ...(options.atomic ? { atomic: true } : {}),
      quiet: options.quiet ?? false,
      ...(options.pushOptions ? { options: options.pushOptions } : {}),
    },
    { progress: (part) => text.add(part), limit: repo.limits.sidebandText },
  );
  text.end();
  if (report.unpackError !== null) err(`error: remote unpack failed: ${report.unpackError}\n`);
  const done = judged.map((ref): PushedRef => {
    if (!isMoved(ref)) return ref;
    const reason = report.results.get(ref.target);
    if (reason === null) return ref;
    return { ...ref, kind: "remote-rejected", reason: reason ?? UNREPORTED };
  });
  return follow(done);
}

/** git's codes for rejected refs, which it prints if another process does the sending. */
const STATUSES: Readonly<Record<string, number>> = {
  "non-fast-forward": 2,
  "already exists": 3,
  "fetch first": 5,
  "needs force": 6,
  "stale info": 7,
};
const HUNG_UP = "fatal: the remote end hung up unexpectedly\n";

/** Over HTTP git sends in another process, whose message comes first. */
function hungUp(isLocal: boolean, url: string): { hint: string; exitCode?: number } {
  if (isLocal) return { hint: HUNG_UP };
  const { exitCode, hint } = failed(url);
  return { exitCode, hint: `${HUNG_UP}${hint}` };
}

function failed(url: string): { hint: string; exitCode: number } {
  return { exitCode: 1, hint: `error: failed to push some refs to '${anonymousUrl(url)}'\n` };
}

function isMoved({ kind }: PushedRef): boolean {
  return kind === "new" || kind === "fast-forward" || kind === "forced" || kind === "deleted";
}
