/** Selects the files that `git config` reads and writes: all files together, or the one that a flag names. */

import type { ConfigEntry, ConfigScope } from "../../../config/git-config.ts";
import { globalConfigFiles, loadConfig, loadConfigFile } from "../../../config/load-config.ts";
import { localConfigFile } from "../../../config/write-config.ts";
import { GitError } from "../../../errors.ts";
import { defaultGitLimits } from "../../../limits.ts";
import { errnoText } from "../../../lock-file.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { absolutePath } from "../../../text/absolute-path.ts";
import type { CommandContext } from "../../framework/command.ts";

export interface ConfigSource {
  /** `missing`: the error for a file that does not exist; reads treat it as empty, listing does not. */
  read(): Promise<{ entries: readonly ConfigEntry[]; missing: string | null }>;
  /** The file to write to. */
  target(): Promise<{ path: string; displayed: string }>;
  /** The name of an entry's origin if it has no file. */
  readonly origin: "file" | "standard input" | "blob" | "command line";
}

interface LocationFlags {
  global?: boolean;
  system?: boolean;
  local?: boolean;
  worktree?: boolean;
  file?: string | false;
  blob?: string | false;
  includes?: boolean;
}

export async function findSource(context: CommandContext, flags: LocationFlags): Promise<ConfigSource> {
  const repo = await repositoryIfAny(context);
  const file = flags.file || (context.env.GIT_CONFIG && !hasLocation(flags) ? context.env.GIT_CONFIG : undefined);
  if (flags.blob) return blobSource(context, flags.blob, flags.includes ?? true);
  if (file === "-") return stdinSource(context, flags.includes ?? true);
  if (file) {
    const path = absolutePath(file, context.cwd);
    return fileSource(context, { path, displayed: file, scope: "command" }, flags.includes ?? false);
  }
  if (flags.system) {
    const displayed = context.env.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig";
    return fileSource(
      context,
      { path: absolutePath(displayed, context.cwd), displayed, scope: "system" },
      flags.includes ?? false,
    );
  }
  if (flags.global) {
    const shown = await globalFile(context);
    return fileSource(
      context,
      { path: absolutePath(shown, context.cwd), displayed: shown, scope: "global" },
      flags.includes ?? false,
    );
  }
  if (flags.local || flags.worktree) {
    if (!repo) {
      throw new GitError("ENOREPO", `--${flags.local ? "local" : "worktree"} can only be used inside a git repository`);
    }
    const own = flags.worktree === true && repo.config.getBool("extensions.worktreeconfig") === true;
    const target = localConfigFile(repo, own);
    const shown = target.displayed ?? target.path;
    return fileSource(context, { path: target.path, displayed: shown, scope: "local" }, flags.includes ?? false, repo);
  }
  return everySource(context, repo, flags.includes ?? true);
}

function hasLocation({ global, system, local, worktree, blob }: LocationFlags): boolean {
  return Boolean(global || system || local || worktree || blob);
}

/** Outside a repository there is still the user's configuration. */
async function repositoryIfAny(context: CommandContext): Promise<Repository | null> {
  try {
    return await context.repository();
  } catch (error) {
    if (
      error instanceof GitError &&
      /^(not a git repository(: '| \(or any)|cannot use bare repository)/.test(error.message)
    )
      return null;
    throw error;
  }
}

async function globalFile({ env, host }: CommandContext): Promise<string> {
  const files = globalConfigFiles(env);
  const last = files.at(-1);
  if (last === undefined) throw new GitError("EINVAL", "$HOME not set");
  const [first] = files;
  if (first !== last && !(await host.fs.exists(last)) && (await host.fs.exists(first as string)))
    return first as string;
  return last;
}

function everySource(context: CommandContext, repo: Repository | null, includes: boolean): ConfigSource {
  const limits = { ...defaultGitLimits, ...context.host.limits };
  return {
    origin: "command line",
    async read() {
      if (repo && includes) return { entries: repo.config.entries, missing: null };
      const entries = await loadConfig({
        fs: context.host.fs,
        limits,
        includes,
        env: context.env,
        cwd: context.cwd,
        command: context.open.config,
        ...(repo && { gitDir: repo.gitDir, commonDir: repo.commonDir, displayGitDir: repo.displayGitDir }),
      });
      return { entries, missing: null };
    },
    async target() {
      if (!repo) throw new GitError("ENOREPO", "not in a git directory");
      const { path, displayed = path } = localConfigFile(repo);
      return { path, displayed };
    },
  };
}

function fileSource(
  context: CommandContext,
  { path, displayed, scope }: { path: string; displayed: string; scope: ConfigScope },
  includes: boolean,
  repo: Repository | null = null,
): ConfigSource {
  const { fs } = context.host;
  return {
    origin: "file",
    async read() {
      const sources = {
        fs,
        limits: { ...defaultGitLimits, ...context.host.limits },
        env: context.env,
        gitDir: repo?.gitDir,
      };
      const entries = await loadConfigFile(sources, { path, displayed, scope }, { includes });
      if (entries) return { entries, missing: null };
      const code = await fs.stat(path).then(
        () => "EISDIR",
        (error: { code?: string }) => error.code,
      );
      return { entries: [], missing: `unable to read config file '${displayed}': ${errnoText(code)}` };
    },
    target: async () => ({ path, displayed }),
  };
}

function stdinSource(context: CommandContext, includes: boolean): ConfigSource {
  return {
    origin: "standard input",
    async read() {
      const sources = { fs: context.host.fs, limits: defaultGitLimits, env: context.env };
      const entries = await loadConfigFile(
        sources,
        { path: "", displayed: "standard input", scope: "command" },
        { content: await context.stdin.bytes(), name: "standard input", includes },
      );
      const reported = (entries ?? []).map((entry) =>
        entry.file === "standard input" ? { ...entry, file: null } : entry,
      );
      return { entries: reported, missing: null };
    },
    target: async () => {
      throw new GitError("EINVAL", "writing to stdin is not supported");
    },
  };
}

function blobSource(context: CommandContext, name: string, includes: boolean): ConfigSource {
  return {
    origin: "blob",
    async read() {
      const repo = await context.repository();
      const found = await findRevision(repo, name);
      if (!found)
        throw new GitError("ENOTFOUND", `unable to resolve config blob '${name}'`, { prefix: "error", exitCode: 1 });
      const { body, type } = await repo.odb.need(found.oid);
      if (type !== "blob") throw new GitError("EINVAL", `reference '${name}' does not point to a blob`);
      const sources = { fs: context.host.fs, limits: defaultGitLimits, env: context.env };
      const entries = await loadConfigFile(
        sources,
        { path: name, displayed: name, scope: "command" },
        { content: body, includes, name: `blob ${name}` },
      );
      return { entries: entries ?? [], missing: null };
    },
    target: async () => {
      throw new GitError("EINVAL", "writing config blobs is not supported");
    },
  };
}
