/**
 * git's ignore rules in a work tree: core.excludesFile, .git/info/exclude and every .gitignore, with the same engine that search
 * uses. The .gitignore files are added directory by directory during a walk, or read for a single path.
 */
import { IgnoreStack, type IgnoreVerdict, parseIgnore } from "@workspace/glob";
import type { Oid } from "../object/oid.ts";
import type { Repository } from "../repository.ts";
import { absolutePath } from "../text/absolute-path.ts";

export interface Ignores {
  /** Names of the rule files in each directory; null: none is read. */
  readonly fileName: string | null;
  /** `path` without a trailing slash. The .gitignore of every directory above must be loaded. */
  verdict(path: string, isDirectory: boolean): IgnoreVerdict;
  /** Reads the .gitignore of these directories ("" or "dir/"), which are known to have one, or to have it staged and skipped. */
  load(directories: readonly string[]): Promise<void>;
  /** As `load` for all directories above the paths, whether or not they have one. */
  prepare(paths: Iterable<string>): Promise<void>;
}

type IgnoreSource = Pick<Repository, "fs" | "gitDir" | "workTree" | "config" | "env" | "warn"> &
  Partial<Pick<Repository, "odb" | "skipWorktreeFiles" | "commonDir" | "displayGitDir">>;

export interface IgnoresOptions {
  /** Without the three standard places: only `patterns`. */
  standard?: boolean;
  /** Rules of the command line (`-x`, `-e`), with the highest precedence. */
  patterns?: readonly string[];
  /** Files of rules (`-X`, `--exclude-from`), with lower precedence than those of directories. */
  files?: readonly { readonly source: string; readonly content: Uint8Array }[];
  /** Another name than .gitignore to look for in each directory (`--exclude-per-directory`). */
  perDirectory?: string | null;
}

export async function openIgnores(repo: IgnoreSource, options: IgnoresOptions = {}): Promise<Ignores> {
  const { standard = true, patterns = [], files = [] } = options;
  const stack = new IgnoreStack();
  const name = options.perDirectory === undefined ? (standard ? ".gitignore" : null) : options.perDirectory;
  const info = standard ? await readIfThere(repo, `${repo.commonDir ?? repo.gitDir}/info/exclude`) : null;
  const source = info === null ? (files[0]?.source ?? "") : `${repo.displayGitDir ?? ".git"}/info/exclude`;
  const weak = info === null ? files : [{ content: info }, ...files];
  if (weak.length > 0) stack.add("", "exclude", parseIgnore(joined(weak), source));
  if (standard) {
    const user = excludesFile(repo);
    const content = user === null ? null : await readIfThere(repo, absolutePath(user, repo.workTree ?? repo.gitDir));
    if (user !== null && content !== null) stack.add("", "global", parseIgnore(content, user));
  }
  // Of the kinds of rule the search engine knows, this one is stronger than .gitignore.
  if (patterns.length > 0) stack.add("", "rgignore", parseIgnore(`${patterns.join("\n")}\n`, "--exclude option"));
  const known = new Set<string>();
  let skipped: Promise<ReadonlyMap<string, Oid>> | undefined;

  /** A sparse checkout omits the file, but its rules apply: otherwise `clean` would remove what they match. */
  const fromIndex = async (path: string): Promise<Uint8Array | null> => {
    if (name === null || repo.skipWorktreeFiles === undefined) return null;
    skipped ??= repo.skipWorktreeFiles(name);
    const oid = (await skipped).get(path);
    return oid === undefined ? null : ((await repo.odb?.read(oid))?.body ?? null);
  };

  const load = async (directories: readonly string[]): Promise<void> => {
    const fresh = directories.filter((directory) => !known.has(directory));
    if (name === null || fresh.length === 0) return;
    for (const directory of fresh) known.add(directory);
    const contents = await repo.fs.readMany(fresh.map((directory) => `${repo.workTree}/${directory}${name}`));
    for (const [i, directory] of fresh.entries()) {
      const path = `${directory}${name}`;
      const own = contents[i] && !(await isLink(repo, path)) ? contents[i] : null;
      const content = own ?? (await fromIndex(path));
      if (content) stack.add(directory === "" ? "" : directory.slice(0, -1), "gitignore", parseIgnore(content, path));
    }
  };

  return {
    fileName: name,
    verdict: (path, isDirectory) => stack.ignored(path, isDirectory),
    load,
    async prepare(paths) {
      const directories = new Set<string>([""]);
      for (const path of paths) {
        for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
          if (directories.has(path.slice(0, slash + 1))) break;
          directories.add(path.slice(0, slash + 1));
        }
      }
      await load([...directories]);
    },
  };
}

function joined(files: readonly { readonly content: Uint8Array }[]): Uint8Array {
  const [only, more] = files;
  if (only !== undefined && more === undefined) return only.content;
  const decoder = new TextDecoder();
  return new TextEncoder().encode(files.map(({ content }) => decoder.decode(content)).join("\n"));
}

async function readIfThere({ fs }: IgnoreSource, path: string): Promise<Uint8Array | null> {
  return fs.readFile(path).catch(() => null);
}

/** A .gitignore that is a symbolic link is not followed. */
async function isLink({ fs, workTree, warn }: IgnoreSource, path: string): Promise<boolean> {
  const stat = await fs.lstat(`${workTree}/${path}`).catch(() => null);
  if (stat?.type !== "symlink") return false;
  warn?.(`unable to access '${path}': Too many levels of symbolic links`);
  return true;
}

function excludesFile({ config, env }: IgnoreSource): string | null {
  const configured = config.get("core.excludesfile");
  if (configured?.startsWith("~/")) return `${env.HOME ?? ""}${configured.slice(1)}`;
  if (configured !== undefined) return configured;
  if (env.XDG_CONFIG_HOME) return `${env.XDG_CONFIG_HOME}/git/ignore`;
  return env.HOME ? `${env.HOME}/.config/git/ignore` : null;
}
