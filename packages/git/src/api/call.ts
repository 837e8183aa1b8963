/** The context of one call of a typed method: the host, the directory, and the repository around it, opened on demand. */
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { withPathAttributes } from "../porcelain/path-attributes.ts";
import { type FoundConfiguration, findConfiguration } from "../repository/find-configuration.ts";
import { openRepository } from "../repository/open-repository.ts";
import type { OpenOptions, Repository } from "../repository.ts";
import { foldPath } from "../text/fold-path.ts";
import { fetchPromised } from "../wire/fetch-promised.ts";

/** Options of every method: directory and environment. */
export interface CallOptions {
  /** Absolute; default the engine's own. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export type WorkRepository = Repository & { readonly workTree: string };

export interface Call {
  readonly host: GitHost;
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly open: OpenOptions;
  /** `paths`: pathspecs of the call, which may name attributes. */
  repository(paths?: readonly string[]): Promise<Repository>;
  /** Requires a work tree. */
  workTree(paths?: readonly string[]): Promise<WorkRepository>;
  /** Of the repository, or of the user where there is none. */
  configuration(): Promise<FoundConfiguration>;
  /** The same call with configuration that takes precedence. */
  withConfig(config: OpenOptions["config"]): Call;
  /** The same call with another signal. */
  withSignal(signal: AbortSignal | undefined): Call;
}

export function openCall(
  host: GitHost,
  directory: string,
  env: Readonly<Record<string, string>>,
  config: OpenOptions["config"] = [],
): Call {
  const cwd = foldPath(directory);
  const open: OpenOptions = { cwd, env, config, fetchPromised };
  const repository = async (paths: readonly string[] = []) =>
    withPathAttributes(await openRepository(host, open), paths);
  return {
    host,
    cwd,
    env,
    open,
    repository,
    async workTree(paths) {
      return requireWorkTree(await repository(paths));
    },
    configuration: () => findConfiguration(host, open),
    withConfig: (more = []) => openCall(host, cwd, env, [...config, ...more]),
    withSignal: (signal) =>
      signal === undefined ? openCall(host, cwd, env, config) : openCall({ ...host, signal }, cwd, env, config),
  };
}

export function requireWorkTree(repo: Repository): WorkRepository {
  if (repo.workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
  return repo as WorkRepository;
}
