/**
 * The engine's facade: the command line, and methods that take and return data. A method opens the repository around `cwd`,
 * does one thing and closes it; it throws a `GitError` with git's own words. One command runs at a time per repository.
 */

import * as branches from "../api/branch.ts";
import { type Call, type CallOptions, openCall } from "../api/call.ts";
import * as commits from "../api/commit.ts";
import * as diffs from "../api/diff.ts";
import * as logs from "../api/log.ts";
import * as merges from "../api/merge.ts";
import * as remotes from "../api/remote.ts";
import * as searches from "../api/search.ts";
import * as stashes from "../api/stash.ts";
import * as states from "../api/status.ts";
import type { GitHost } from "../host.ts";
import { type GitCache, openCommandCache } from "../repository/git-cache.ts";
import { discoverGitDirectory } from "../repository/git-directory.ts";
import { type RepositoryLocks, withLock } from "../repository/repository-locks.ts";
import { type CliCall, type CliResult, runCli } from "./run-cli.ts";

export interface GitCall extends Omit<CliCall, "cwd"> {
  /** Absolute; default the engine's own. */
  readonly cwd?: string;
}

export interface GitOptions extends GitHost {
  /** Locks shared by all engines on the same files; default new ones. */
  readonly locks?: RepositoryLocks;
  /** Cache shared in the same way; default its own. */
  readonly sharedCache?: GitCache;
  /** Working directory of a call without one; default "/". */
  readonly cwd?: string;
}

/** Every method, by name. */
const methods = {
  init: commits.init,
  clone: remotes.clone,
  status: states.status,
  add: commits.add,
  remove: commits.remove,
  move: commits.move,
  commit: commits.commit,
  restore: commits.restore,
  reset: commits.reset,
  clean: commits.clean,
  log: logs.log,
  diff: diffs.diff,
  read: branches.read,
  resolve: branches.resolve,
  refs: branches.refs,
  branch: branches.branch,
  deleteBranch: branches.deleteBranch,
  switch: branches.switchTo,
  tag: branches.tag,
  deleteTag: branches.deleteTag,
  merge: merges.merge,
  cherryPick: merges.cherryPick,
  revert: merges.revert,
  rebase: merges.rebase,
  stash: stashes.stash,
  fetch: remotes.fetch,
  pull: remotes.pull,
  push: remotes.push,
  lsRemote: remotes.lsRemote,
  remotes: remotes.remotes,
  addRemote: remotes.addRemote,
  grep: searches.grep,
  blame: searches.blame,
  getConfig: branches.getConfig,
  setConfig: branches.setConfig,
} as const;

type Methods = typeof methods;
/** Without the first parameter, which is bound. */
type Bound<M> = M extends (call: Call, ...rest: infer Rest) => infer Result ? (...rest: Rest) => Result : never;

export type Git = { readonly [Name in keyof Methods]: Bound<Methods[Name]> } & {
  /** Behaves as git itself: same argv, same bytes, same exit code. Never throws for a user's error. */
  cli(call: GitCall): Promise<CliResult>;
};

export function createGit({ locks = new Map(), sharedCache = {}, cwd: home = "/", ...host }: GitOptions): Git {
  const withRepository = async <T>(
    cwd: string,
    env: Readonly<Record<string, string>>,
    action: (host: GitHost) => Promise<T>,
  ): Promise<T> => {
    const cache = openCommandCache(sharedCache, host.fs);
    try {
      const own: GitHost = { ...host, fs: cache.fs, cache };
      const found = await discoverGitDirectory(own, { cwd, env }).catch(() => null);
      return await withLock(locks, found?.gitDir ?? cwd, ({ releaseWhile }) => {
        // The command it runs may be git on the same repository.
        const { run } = host;
        return action({ ...own, releaseWhile, ...(run && { run: (request) => releaseWhile(() => run(request)) }) });
      });
    } finally {
      cache.end();
    }
  };
  const bound = Object.entries(methods).map(([name, method]) => {
    const call = ({ cwd = home, env = {}, ...options }: CallOptions = {}) => {
      const run = method as (call: Call, options: object) => Promise<unknown>;
      return withRepository(cwd, env, (own) => run(openCall(own, cwd, env), options));
    };
    return [name, call];
  });
  return {
    ...(Object.fromEntries(bound) as Omit<Git, "cli">),
    cli: ({ cwd = home, env = {}, ...call }) => withRepository(cwd, env, (own) => runCli(own, { ...call, cwd, env })),
  } as Git;
}
