/** Creates a repository, or completes an existing one: nothing that exists is overwritten. */
import type { BulkEntry } from "@workspace/vfs";
import { fromLatin1, toLatin1 } from "../config/config-syntax.ts";
import { expandUser } from "../config/config-value.ts";
import { createConfig } from "../config/create-config.ts";
import { setConfigValue } from "../config/edit-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { GitError } from "../errors.ts";
import type { GitHost } from "../host.ts";
import { defaultGitLimits } from "../limits.ts";
import { isRefName } from "../refs/ref-name.ts";
import { absolutePath, parentDirectory } from "../text/absolute-path.ts";
import { commonDirectory, isGitDirectory, readGitFile } from "./git-directory.ts";

export interface InitOptions {
  /** Absolute: the work tree's top, or the bare repository itself. */
  readonly directory: string;
  readonly bare?: boolean;
  /** Default `init.defaultBranch`, then "master". */
  readonly initialBranch?: string;
  /** `--separate-git-dir`: `.git` becomes a file that names it. */
  readonly separateGitDir?: string;
  /** GIT_DIR: the git directory itself, if it is not `<directory>/.git`. */
  readonly gitDir?: string;
  readonly workTree?: string;
  /**
   * Template of the git directory; empty: none. Default GIT_TEMPLATE_DIR, `init.templateDir`, then git's own files without the
   * sample hooks.
   */
  readonly template?: string;
  readonly warn?: (text: string) => void;
  readonly env?: Readonly<Record<string, string>>;
  readonly config?: readonly { key: string; value: string | null }[];
}

interface InitResult {
  readonly gitDir: string;
  /** The repository existed already. */
  readonly existed: boolean;
  /** HEAD's branch in a new repository. */
  readonly branch: string;
  /** No initial branch was configured: git advises to choose one. */
  readonly branchByDefault: boolean;
}

export async function initRepository(host: GitHost, options: InitOptions): Promise<InitResult> {
  const { fs } = host;
  const { directory, bare = false, env = {} } = options;
  const limits = { ...defaultGitLimits, ...host.limits };
  await fs.mkdir(directory, { recursive: true });
  const link = `${directory === "/" ? "" : directory}/.git`;
  let gitDir = options.gitDir ?? (bare ? directory : link);
  if (options.separateGitDir !== undefined) {
    gitDir = absolutePath(options.separateGitDir, directory);
    await moveTo(fs, link, gitDir);
  } else if ((await fs.stat(gitDir).catch(() => null))?.isFile()) gitDir = await readGitFile(fs, gitDir);
  gitDir = await fs.realpath(gitDir).catch(() => gitDir);
  const existed = await isGitDirectory(fs, gitDir);
  const config = createConfig(await loadConfig({ fs, limits, env, command: options.config }));
  const branch =
    options.initialBranch ?? (env.GIT_TEST_DEFAULT_INITIAL_BRANCH_NAME || config.get("init.defaultbranch"));
  const name = branch ?? "master";
  if (!isRefName(`refs/heads/${name}`)) {
    const what = options.initialBranch === undefined ? "init.defaultBranch" : "initial branch name";
    throw new GitError(
      "EINVAL",
      options.initialBranch === undefined ? `invalid branch name: ${what} = ${name}` : `invalid ${what}: '${name}'`,
    );
  }
  await fs.mkdir(gitDir, { recursive: true });
  const shared = await commonDirectory(fs, gitDir, {});
  const template = options.template ?? env.GIT_TEMPLATE_DIR ?? config.get("init.templatedir");
  const entries = await missingEntries(fs, shared, name, template === undefined);
  if (template) await copyTemplate(fs, expandUser(template, env.HOME), shared, options.warn);
  await fs.writeMany(entries);
  await writeConfig(fs, shared, { bare, ...(options.workTree === undefined ? {} : { workTree: options.workTree }) });
  if (options.separateGitDir !== undefined) await fs.writeFile(link, `gitdir: ${gitDir}\n`);
  return { gitDir, existed, branch: name, branchByDefault: branch === undefined };
}

/** Moves an existing git directory to its new location. */
async function moveTo(fs: GitHost["fs"], link: string, gitDir: string): Promise<void> {
  await fs.mkdir(parentDirectory(gitDir), { recursive: true });
  const stat = await fs.stat(link).catch(() => null);
  if (stat === null) return;
  await fs.rename(stat.isDirectory() ? await fs.realpath(link) : await readGitFile(fs, link), gitDir);
}

/** Existing files stay, and names that begin with a dot are skipped. */
async function copyTemplate(fs: GitHost["fs"], from: string, to: string, warn?: (text: string) => void): Promise<void> {
  if (!(await fs.exists(from))) return warn?.(`templates not found in ${from}`);
  const filter = (path: string) => !path.slice(from.length).includes("/.");
  await fs.cp(from, to, { recursive: true, force: false, verbatimSymlinks: true, filter });
}

async function missingEntries(
  fs: GitHost["fs"],
  gitDir: string,
  branch: string,
  ownTemplate: boolean,
): Promise<BulkEntry[]> {
  const [head, description, exclude] = await fs.readMany(
    ["HEAD", "description", "info/exclude"].map((name) => `${gitDir}/${name}`),
  );
  const entries: BulkEntry[] = [];
  const dirs = ["objects/info", "objects/pack", "refs/heads", "refs/tags"];
  if (ownTemplate) dirs.push("branches", "hooks", "info");
  for (const dir of dirs) entries.push({ path: `${gitDir}/${dir}`, type: "dir" });
  if (!head) entries.push({ path: `${gitDir}/HEAD`, content: `ref: refs/heads/${branch}\n` });
  if (ownTemplate && !description) entries.push({ path: `${gitDir}/description`, content: DESCRIPTION });
  if (ownTemplate && !exclude) entries.push({ path: `${gitDir}/info/exclude`, content: EXCLUDE });
  return entries;
}

async function writeConfig(
  fs: GitHost["fs"],
  gitDir: string,
  { bare, workTree }: { bare: boolean; workTree?: string },
): Promise<void> {
  const path = `${gitDir}/config`;
  const [content] = await fs.readMany([path]);
  let text = content ? toLatin1(content) : "";
  const set = (key: string, value: string) => {
    text = setConfigValue(text, key, value, { file: path });
  };
  set("core.repositoryformatversion", "0");
  set("core.filemode", "true");
  set("core.bare", bare ? "true" : "false");
  if (!bare && !/logallrefupdates/i.test(text)) set("core.logallrefupdates", "true");
  if (workTree !== undefined) set("core.worktree", workTree);
  if (content && text === toLatin1(content)) return;
  await fs.writeFile(path, fromLatin1(text));
}

const DESCRIPTION = "Unnamed repository; edit this file 'description' to name the repository.\n";

const EXCLUDE = `# git ls-files --others --exclude-from=.git/info/exclude
# Lines that start with '#' are comments.
# For a project mostly in C, the following would be a good set of
# exclude patterns (uncomment them if you want to use them):
# *.[oa]
# *~
`;
