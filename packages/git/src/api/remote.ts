/** Methods that contact other repositories. `onProgress` receives a server's progress text as it arrives. */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { CallOptions } from "./call.ts";
import { head } from "./commit.ts";
import { type Engine, flag, option, type RunOptions } from "./engine.ts";
import { refuseOption } from "./log.ts";
import type { MergeOutcome } from "./merge.ts";

export interface Progress {
  /** Text as git writes it to a terminal, carriage returns included. Not available over RPC. */
  readonly onProgress?: (text: string) => void;
  /** Aborts the network transfer; no ref has moved then. Not available over RPC. */
  readonly signal?: AbortSignal;
}

function progress({ onProgress, signal }: Progress): RunOptions {
  if (onProgress === undefined) return { signal };
  const decoder = new TextDecoder();
  return { signal, onStderr: (data) => onProgress(decoder.decode(data, { stream: true })) };
}

export interface CloneOptions extends CallOptions, Progress {
  readonly url: string;
  readonly directory?: string;
  readonly branch?: string;
  readonly depth?: number;
  readonly singleBranch?: boolean;
  readonly bare?: boolean;
  readonly noCheckout?: boolean;
  /** "blob:none": contents are fetched on demand. */
  readonly filter?: string;
}

export async function clone(engine: Engine, options: CloneOptions): Promise<void> {
  const { url, directory, branch, depth, singleBranch, bare, noCheckout, filter } = options;
  const flags = [
    option("--branch", branch),
    option("--depth", depth),
    flag("--single-branch", singleBranch),
    flag("--bare", bare),
    flag("--no-checkout", noCheckout),
    option("--filter", filter),
    flag("--progress", options.onProgress !== undefined),
  ];
  await engine.run(["clone", ...flags, "--", url, directory], progress(options));
}

export interface FetchOptions extends CallOptions, Progress {
  /** Default the current branch's, or "origin". */
  readonly remote?: string;
  readonly refspecs?: readonly string[];
  readonly all?: boolean;
  readonly prune?: boolean;
  readonly tags?: boolean;
  readonly depth?: number;
  readonly unshallow?: boolean;
}

export async function fetch(engine: Engine, options: FetchOptions = {}): Promise<void> {
  const { remote, refspecs = [], all, prune, tags, depth, unshallow } = options;
  for (const word of [remote, ...refspecs]) if (word !== undefined) refuseOption(word);
  const flags = [
    flag("--all", all),
    flag("--prune", prune),
    flag("--tags", tags),
    option("--depth", depth),
    flag("--unshallow", unshallow),
    flag("--progress", options.onProgress !== undefined),
  ];
  await engine.run(["fetch", ...flags, remote, ...refspecs], progress(options));
}

export interface PullOptions extends CallOptions, Progress {
  readonly remote?: string;
  readonly branch?: string;
  readonly rebase?: boolean;
  readonly fastForwardOnly?: boolean;
}

export async function pull(engine: Engine, options: PullOptions = {}): Promise<MergeOutcome> {
  const { remote, branch, rebase, fastForwardOnly } = options;
  for (const word of [remote, branch]) if (word !== undefined) refuseOption(word);
  const flags = [
    rebase === undefined ? undefined : rebase ? "--rebase" : "--no-rebase",
    flag("--ff-only", fastForwardOnly),
  ];
  const answer = await engine.run(["pull", ...flags, remote, branch], { expected: [0, 1], ...progress(options) });
  const { text } = await engine.run(["diff", "--name-only", "--diff-filter=U", "-z"]);
  const conflicts = [...new Set(text.split("\0").filter((path) => path !== ""))];
  // No conflicts: something other than the merge failed.
  if (answer.exitCode === 1 && conflicts.length === 0) {
    const reported = (answer.stderr || answer.text).replace(/^(?:fatal|error): /gm, () => "").trimEnd();
    throw new GitError("ESTATE", reported, { exitCode: 1, prefix: "error" });
  }
  const outcome = conflicts.length > 0 ? "conflict" : "done";
  return { outcome, head: await head(engine), conflicts, output: answer.text + answer.stderr };
}

export interface PushOptions extends CallOptions, Progress {
  readonly remote?: string;
  readonly refspecs?: readonly string[];
  readonly force?: boolean;
  /** Overwrite only the value last seen there: true, or "branch:oid". */
  readonly forceWithLease?: boolean | string;
  readonly setUpstream?: boolean;
  readonly tags?: boolean;
  readonly delete?: boolean;
  readonly atomic?: boolean;
}

export interface PushedRef {
  readonly from: string;
  readonly to: string;
  /** " " fast-forward, "+" forced, "*" new, "-" deleted, "=" up to date, "!" refused. */
  readonly flag: string;
  readonly summary: string;
}

/** Rejected refs are in the result and do not throw. */
export async function push(engine: Engine, options: PushOptions = {}): Promise<PushedRef[]> {
  const { remote, refspecs = [], force, forceWithLease, setUpstream, tags, atomic } = options;
  for (const word of [remote, ...refspecs]) if (word !== undefined) refuseOption(word);
  const lease =
    forceWithLease === undefined || forceWithLease === false
      ? undefined
      : forceWithLease === true
        ? "--force-with-lease"
        : `--force-with-lease=${forceWithLease}`;
  const flags = [
    flag("--force", force),
    lease,
    flag("--set-upstream", setUpstream),
    flag("--tags", tags),
    flag("--delete", options.delete),
    flag("--atomic", atomic),
    flag("--progress", options.onProgress !== undefined),
  ];
  const { text } = await engine.run(["push", "--porcelain", ...flags, remote, ...refspecs], {
    expected: [0, 1],
    ...progress(options),
  });
  return text.split("\n").flatMap((line) => {
    const match = /^([ +*\-=!])\t([^:\t]*):([^\t]*)\t(.*)$/.exec(line);
    if (match === null) return [];
    const [, mark, from, to, summary] = match as unknown as [string, string, string, string, string];
    return [{ flag: mark, from, to, summary }];
  });
}

export interface LsRemoteOptions extends CallOptions, Pick<Progress, "signal"> {
  /** A URL or a remote's name. */
  readonly remote?: string;
}

export async function lsRemote(
  engine: Engine,
  { remote, signal }: LsRemoteOptions = {},
): Promise<{ name: string; oid: Oid }[]> {
  if (remote !== undefined) refuseOption(remote);
  const { text } = await engine.run(["ls-remote", "-q", remote], { signal });
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [oid, name] = line.split("\t") as [string, string];
      return { name, oid: oid as Oid };
    });
}

export interface RemotesOptions extends CallOptions {}

export async function remotes(engine: Engine, _options: RemotesOptions = {}): Promise<{ name: string; url: string }[]> {
  const { text } = await engine.run(["config", "-z", "--get-regexp", "^remote\\..*\\.url$"], { expected: [0, 1] });
  return text.split("\0").flatMap((entry) => {
    const match = /^remote\.(.*)\.url\n(.*)$/s.exec(entry);
    return match ? [{ name: match[1] as string, url: match[2] as string }] : [];
  });
}

export interface AddRemoteOptions extends CallOptions {
  readonly name: string;
  readonly url: string;
}

export async function addRemote(engine: Engine, { name, url }: AddRemoteOptions): Promise<void> {
  await engine.run(["remote", "add", "--", name, url]);
}
