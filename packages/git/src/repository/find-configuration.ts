/** The configuration around a directory, for commands that need no repository but honor its configuration if there is one. */
import { createConfig } from "../config/create-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { defaultGitLimits } from "../limits.ts";
import type { OpenOptions, Repository } from "../repository.ts";
import { openRepository } from "./open-repository.ts";

export interface FoundConfiguration extends Pick<Repository, "config" | "limits"> {
  /** Null: there is none. */
  readonly repo: Repository | null;
}

export async function findConfiguration(host: GitHost, open: OpenOptions): Promise<FoundConfiguration> {
  try {
    const repo = await openRepository(host, open);
    return { config: repo.config, limits: repo.limits, repo };
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== "ENOREPO") throw error;
    const limits = { ...defaultGitLimits, ...host.limits };
    const entries = await loadConfig({ fs: host.fs, limits, env: open.env ?? {}, command: open.config });
    return { config: createConfig(entries), limits, repo: null };
  }
}
