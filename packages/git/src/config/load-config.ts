/**
 * Loads the files of a configuration in git's order: system, global (XDG, then ~/.gitconfig), local, worktree, then the environment
 * and `-c`. `include.path` and `includeIf` are expanded in place.
 */

import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import type { GitLimits } from "../limits.ts";
import { absolutePath } from "../text/absolute-path.ts";
import { wildmatch } from "../text/wildmatch.ts";
import { canonicalKey, parseConfigKey } from "./config-key.ts";
import { type ConfigPiece, parseConfig, toLatin1 } from "./config-syntax.ts";
import { expandUser, parseBool } from "./config-value.ts";
import { environmentConfig } from "./environment-config.ts";
import type { ConfigEntry, ConfigScope } from "./git-config.ts";

interface ConfigSources {
  readonly fs: GitHost["fs"];
  readonly limits: Pick<GitLimits, "includeDepth">;
  readonly env: Readonly<Record<string, string>>;
  /** Base of relative GIT_CONFIG_GLOBAL and GIT_CONFIG_SYSTEM. */
  readonly cwd?: string;
  /** Absent outside a repository. */
  readonly gitDir?: string;
  readonly commonDir?: string;
  /** The repository file's name in errors and in `--show-origin`; default its path. */
  readonly displayGitDir?: string;
  /** The branch that HEAD names, for `includeIf "onbranch:"`. */
  readonly branch?: () => Promise<string | null>;
  /** False: files of `include.path` and the like are not read. */
  readonly includes?: boolean;
  readonly command?: readonly { key: string; value: string | null }[];
  /**
   * Remote URLs for `includeIf "hasconfig:remote.*.url:"`, known once all files were read without it; "open": reading is in
   * progress.
   */
  remoteUrls?: readonly string[] | "open";
}

export interface ConfigFile {
  readonly path: string;
  readonly scope: ConfigScope;
  /** In errors. */
  readonly displayed?: string;
  /** Included because of a remote's URL, so it must not define any. */
  readonly byRemotes?: boolean;
}

/** Candidate files, in reading order. */
function configFiles({ env, gitDir, commonDir, displayGitDir }: Omit<ConfigSources, "fs" | "limits">): ConfigFile[] {
  const files: ConfigFile[] = [];
  if (parseBool(env.GIT_CONFIG_NOSYSTEM ?? "") !== true) {
    files.push({ path: env.GIT_CONFIG_SYSTEM ?? "/etc/gitconfig", scope: "system" });
  }
  for (const path of globalConfigFiles(env)) files.push({ path, scope: "global" });
  if (gitDir !== undefined) {
    const displayed =
      displayGitDir === undefined || commonDir !== gitDir
        ? undefined
        : displayGitDir === "."
          ? "config"
          : `${displayGitDir}/config`;
    files.push({ path: `${commonDir ?? gitDir}/config`, scope: "local", ...(displayed ? { displayed } : {}) });
  }
  return files;
}

/** XDG's, then the home directory's; writes go to the last one unless only the first exists. */
export function globalConfigFiles(env: Readonly<Record<string, string>>): string[] {
  if (env.GIT_CONFIG_GLOBAL !== undefined) return env.GIT_CONFIG_GLOBAL === "" ? [] : [env.GIT_CONFIG_GLOBAL];
  const files: string[] = [];
  const xdg = env.XDG_CONFIG_HOME || (env.HOME ? `${env.HOME}/.config` : "");
  if (xdg) files.push(`${xdg}/git/config`);
  if (env.HOME) files.push(`${env.HOME}/.gitconfig`);
  return files;
}

/** A depth at which includes are not read. */
const NO_INCLUDES = -1;

export async function loadConfig(sources: ConfigSources): Promise<ConfigEntry[]> {
  const files = configFiles(sources).map((file) =>
    file.path.startsWith("/")
      ? file
      : { ...file, path: absolutePath(file.path, sources.cwd ?? "/"), displayed: file.displayed ?? file.path },
  );
  const contents = await sources.fs.readMany(files.map((file) => file.path));
  const entries: ConfigEntry[] = [];
  const depth = sources.includes === false ? NO_INCLUDES : 0;
  for (const [i, file] of files.entries()) {
    const content = contents[i];
    if (content) await readInto(entries, sources, file, content, depth);
  }
  if (sources.gitDir !== undefined && entries.some(isWorktreeConfig)) {
    const { gitDir, displayGitDir = gitDir } = sources;
    const displayed = displayGitDir === "." ? "config.worktree" : `${displayGitDir}/config.worktree`;
    await addFile(entries, sources, { path: `${gitDir}/config.worktree`, displayed, scope: "worktree" }, depth);
  }
  for (const { key, value } of commandConfig(sources)) await addCommand(entries, sources, key, value);
  return entries;
}

/** One file and its includes, as `git config --file` reads it. */
export async function loadConfigFile(
  sources: ConfigSources,
  file: ConfigFile,
  { includes = false, content, name }: { includes?: boolean; content?: Uint8Array; name?: string } = {},
): Promise<ConfigEntry[] | null> {
  const bytes = content ?? (await sources.fs.readMany([file.path]))[0];
  if (!bytes) return null;
  const entries: ConfigEntry[] = [];
  await readInto(entries, sources, file, bytes, includes ? 0 : NO_INCLUDES, name);
  return entries;
}

function isWorktreeConfig({ key, value, scope }: ConfigEntry): boolean {
  return scope === "local" && key === "extensions.worktreeconfig" && parseBool(value) === true;
}

async function addFile(entries: ConfigEntry[], sources: ConfigSources, file: ConfigFile, depth: number) {
  const [content] = await sources.fs.readMany([file.path]);
  if (content) await readInto(entries, sources, file, content, depth);
}

/** `depth` -1: includes are not followed. */
async function readInto(
  entries: ConfigEntry[],
  sources: ConfigSources,
  file: ConfigFile,
  content: Uint8Array,
  depth: number,
  name = `file ${file.displayed ?? file.path}`,
): Promise<void> {
  const pieces: ConfigPiece[] = parseConfig(toLatin1(content), name);
  for (const piece of pieces) {
    if (piece.kind !== "entry") continue;
    const { key, value } = piece;
    entries.push({ key, value, scope: file.scope, file: file.displayed ?? file.path, line: piece.line });
    if (file.byRemotes && isRemoteUrl(key)) {
      const where = "file directly or indirectly included by includeIf.hasconfig:remote.*.url";
      throw new GitError("EINVAL", `remote URLs cannot be configured in ${where}`);
    }
    if (depth < 0 || !key.startsWith("include")) continue;
    const included = await includedFile(sources, file, key, value, piece.line);
    if (included === null) continue;
    if (depth + 1 > sources.limits.includeDepth) {
      throw new GitError(
        "EINVAL",
        `exceeded maximum include depth (${sources.limits.includeDepth}) while including\n\t${included.displayed}\nfrom\n\t${file.displayed ?? file.path}\nThis might be due to circular includes.`,
      );
    }
    const byRemotes = file.byRemotes || key.startsWith(HAS_URL);
    await addFile(entries, sources, { ...included, scope: file.scope, byRemotes }, depth + 1);
  }
}

const HAS_URL = "includeif.hasconfig:remote.*.url:";

function isRemoteUrl(key: string): boolean {
  return key.startsWith("remote.") && key.endsWith(".url") && key.length > "remote.url".length;
}

/** All configuration except includes that depend on it, whose files are read to verify that they define no remote. */
async function remoteUrls(sources: ConfigSources): Promise<readonly string[]> {
  const open: ConfigSources = { ...sources, remoteUrls: "open" };
  const found = await loadConfig(open);
  return found.flatMap(({ key, value }) => (isRemoteUrl(key) && value !== null ? [value] : []));
}

async function includedFile(
  sources: ConfigSources,
  file: ConfigFile | null,
  key: string,
  value: string | null,
  line = 0,
): Promise<{ path: string; displayed: string } | null> {
  if (key !== "include.path" && !(key.startsWith("includeif.") && key.endsWith(".path"))) return null;
  if (key !== "include.path") {
    const condition = key.slice("includeif.".length, -".path".length);
    if (!(await conditionHolds(sources, file, condition))) return null;
  }
  if (value === null) throw new GitError("EINVAL", `missing value for '${key}'`);
  const path = expandUser(value, sources.env.HOME);
  if (path.startsWith("/")) return { path, displayed: path };
  if (!file?.path) {
    const where =
      file === null ? "unable to parse command-line config" : `bad config line ${line} in ${file.displayed}`;
    throw new GitError("EINVAL", `relative config includes must come from files\nfatal: ${where}`, { prefix: "error" });
  }
  const displayed = file.displayed ?? file.path;
  const beside = displayed.includes("/") ? `${parentDirectory(displayed)}/${path}` : path;
  return { path: `${parentDirectory(file.path)}/${path}`, displayed: beside };
}

async function conditionHolds(sources: ConfigSources, file: ConfigFile | null, condition: string): Promise<boolean> {
  const [, kind = "", pattern = ""] = /^(gitdir|gitdir\/i|onbranch):(.*)$/s.exec(condition) ?? [];
  if (kind === "onbranch") {
    const branch = await sources.branch?.();
    if (!branch) return false;
    return wildmatch(pattern.endsWith("/") ? `${pattern}**` : pattern, branch, { pathname: true });
  }
  if (`includeif.${condition}`.startsWith(HAS_URL)) {
    sources.remoteUrls ??= await remoteUrls(sources);
    const glob = condition.slice(HAS_URL.length - "includeif.".length);
    return sources.remoteUrls === "open" || sources.remoteUrls.some((url) => wildmatch(glob, url, { pathname: true }));
  }
  if (kind === "" || sources.gitDir === undefined) return false;
  const real = (path: string) => sources.fs.realpath(path).catch(() => path);
  const home = pattern.startsWith("~/") ? sources.env.HOME : undefined;
  let glob = home ? (await real(home)) + pattern.slice(1) : pattern;
  if (glob.startsWith("./")) {
    if (!file?.path) return false;
    glob = (await real(parentDirectory(file.path))) + glob.slice(1);
  } else if (!glob.startsWith("/")) glob = `**/${glob}`;
  if (glob.endsWith("/")) glob += "**";
  const matches = (path: string) => wildmatch(glob, path, { pathname: true, ignoreCase: kind === "gitdir/i" });
  if (matches(sources.gitDir)) return true;
  // Also compared with the unresolved path, through links.
  const { PWD = "" } = sources.env;
  const resolved = PWD.startsWith("/") ? await real(PWD) : PWD;
  return (
    resolved !== PWD &&
    sources.gitDir.startsWith(`${resolved}/`) &&
    matches(PWD + sources.gitDir.slice(resolved.length))
  );
}

function parentDirectory(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash <= 0 ? "" : path.slice(0, slash);
}

async function addCommand(entries: ConfigEntry[], sources: ConfigSources, typed: string, value: string | null) {
  const key = canonicalKey(typed);
  entries.push({ key, value, scope: "command", file: null });
  if (sources.includes === false) return;
  const included = await includedFile(sources, null, key, value);
  if (included !== null) await addFile(entries, sources, { ...included, scope: "command" }, 1);
}

/** Entries of the environment, then those of `-c`; an invalid key there has its own error. */
function commandConfig({ env, command = [] }: ConfigSources): { key: string; value: string | null }[] {
  try {
    const found = environmentConfig(env);
    for (const { key, value } of command) found.push({ key: checkedKey(key), value });
    return found;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new GitError("EINVAL", `${error.message}\nfatal: unable to parse command-line config`, { prefix: "error" });
  }
}

function checkedKey(key: string): string {
  if (key === "") throw new GitError("EINVAL", "empty config key");
  return parseConfigKey(key).key;
}
