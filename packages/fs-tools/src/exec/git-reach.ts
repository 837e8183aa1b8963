/**
 * What a repository reaches. Where the tools see a part of the workspace, or not all of it, git must not be the way to the rest: not by
 * where its files or objects lie, not by objects that it borrows (`objects/info/alternates`), not by configuration that it includes,
 * and not by a remote that is another repository of the same workspace. A model can write every one of those files.
 */
import type { ToolContext } from "../definition/tool-context.ts";
import { ToolError } from "../errors.ts";
import { fold } from "../files/tool-paths.ts";
import { gitCommand } from "./git-policy.ts";

/** As git: an alternate's alternates are followed so deep; beyond that nothing is read. */
const ALTERNATES_DEPTH = 5;
const MAX_ALTERNATES = 100;
/** `objects/xx/yyyy`. */
const OBJECTS_DEPTH = 2;
const REMOTE_COMMANDS = /^(clone|fetch|pull|push|ls-remote|remote (update|show|prune|set-head))\b/;
const REMOTE_URLS =
  "^(remote\\..*\\.(url|pushurl)|url\\..*\\.(insteadof|pushinsteadof)|branch\\..*\\.(remote|pushremote)|remote\\.pushdefault)$";
const NETWORK = /^(https?|ssh|git|git\+ssh|ssh\+git):\/\//i;

/** Asked where there is something to hide: a root that is a part of the workspace, or deny-globs that count from it. */
export async function requireReach(ctx: ToolContext, argv: readonly string[], cwd: string): Promise<void> {
  const { paths, workspace } = ctx;
  if (paths.root === (workspace.root ?? paths.root) && !paths.rules.hasDenials) return;
  const command = gitCommand(argv);
  const words = argv.slice(argv.indexOf(command) + 1);
  if (REMOTE_COMMANDS.test(`${command} ${words[0]}`)) await requireDistant(ctx, words, cwd);
  // A repository that is yet to be made reaches nothing.
  if (command === "init" || command === "clone") return;
  const top = await ask(ctx, cwd, ["rev-parse", "--show-toplevel"]);
  const places = await ask(ctx, cwd, PLACES);
  for (const place of [...top, ...places]) await requireInside(ctx, cwd, place);
  const objects = places.at(-1);
  if (objects === undefined) return;
  await requireOwnObjects(ctx, cwd, objects);
  const own = places.slice(0, 2).flatMap((place) => [`${place}/config`, `${place}/config.worktree`]);
  await requireOwnConfig(ctx, cwd, top[0] ?? cwd, own);
}

const PLACES = [
  "rev-parse",
  "--path-format=absolute",
  "--absolute-git-dir",
  "--git-common-dir",
  "--git-path",
  "objects",
];

/** Lines of its answer; none when it fails, as outside a repository. */
async function ask(ctx: ToolContext, cwd: string, argv: string[], separator = "\n"): Promise<string[]> {
  const { exitCode, stdout } = await ctx.workspace.git!.cli({ argv, cwd });
  if (exitCode !== 0) return [];
  return new TextDecoder()
    .decode(stdout)
    .split(separator)
    .filter((line) => line !== "");
}

/** By its letters and by where its links lead. */
async function requireInside(ctx: ToolContext, cwd: string, place: string): Promise<void> {
  try {
    await ctx.paths.toRead(place);
  } catch (error) {
    const { code } = error as { code?: unknown };
    // Files of git itself may be off limits to the other tools.
    if (code === "DENIED") return;
    if (code === "OUTSIDE_ROOT" || code === "ELOOP") throw beyond(ctx, cwd);
    throw error;
  }
}

/** Links in place of directories and objects, and object directories of others. */
async function requireOwnObjects(ctx: ToolContext, cwd: string, objects: string): Promise<void> {
  const { fs } = ctx.workspace;
  const seen = new Set<string>();
  let level = [objects];
  for (let depth = 0; depth <= ALTERNATES_DEPTH && level.length > 0; depth++) {
    const next: string[] = [];
    for (const directory of level) {
      if (seen.has(directory)) continue;
      if (seen.size >= MAX_ALTERNATES) throw beyond(ctx, cwd);
      seen.add(directory);
      await requireInside(ctx, cwd, directory);
      const links = await fs.find(directory, { type: "symlink", maxDepth: OBJECTS_DEPTH }).catch(() => []);
      for (const { path } of links) await requireInside(ctx, cwd, path);
      const text = await fs.readFile(`${directory}/info/alternates`, "utf8").catch(() => "");
      for (const line of text.split("\n")) {
        if (line === "" || line.startsWith("#")) continue;
        next.push(fold(line.startsWith("/") ? line : `${directory}/${line}`));
      }
    }
    level = next;
  }
}

/** `include.path` would print the lines of any file that looks like configuration. */
async function requireOwnConfig(ctx: ToolContext, cwd: string, top: string, own: readonly string[]): Promise<void> {
  const words = await ask(ctx, cwd, ["config", "--show-scope", "--show-origin", "--name-only", "-z", "-l"], "\0");
  const origins = new Set<string>();
  for (let at = 0; at + 2 < words.length + 1; at += 3) {
    const [scope, origin = ""] = [words[at], words[at + 1]];
    if ((scope === "local" || scope === "worktree") && origin.startsWith("file:")) origins.add(origin.slice(5));
  }
  for (const origin of origins) {
    // A relative one counts from where git stands, which is the top of its files.
    const places = origin.startsWith("/") ? [origin] : [...new Set([`${cwd}/${origin}`, `${top}/${origin}`])];
    for (const place of places) {
      const at = fold(place);
      if (own.includes(at) || !(await ctx.workspace.fs.exists(at))) continue;
      try {
        await ctx.paths.toRead(at);
      } catch {
        throw beyond(ctx, cwd);
      }
    }
  }
}

/** Another repository of the workspace may hold, or borrow, what is not to be seen here. */
async function requireDistant(ctx: ToolContext, words: readonly string[], cwd: string): Promise<void> {
  const configured = await ask(ctx, cwd, ["config", "-z", "--get-regexp", REMOTE_URLS], "\0");
  const named = words.filter((word) => !word.startsWith("-"));
  for (const entry of configured) {
    const [key = "", value = ""] = entry.split("\n");
    if (/^branch\.|^remote\.pushdefault$/i.test(key)) named.push(value);
    else if (isLocal(value) && !key.startsWith("url.")) throw near(value);
    else if (key.startsWith("url.") && isLocal(key.slice(4))) throw near(key.slice(4));
  }
  for (const word of named) {
    // A dot is the repository itself, which is looked at as such.
    if (word === "." || !isLocal(word)) continue;
    if (/^file:/i.test(word) || (await isRepository(ctx, fold(word.startsWith("/") ? word : `${cwd}/${word}`))))
      throw near(word);
  }
}

/** `host:path` is ssh's, unless a slash comes before the colon. */
function isLocal(url: string): boolean {
  return !NETWORK.test(url) && (/^file:/i.test(url) || !/^[^/]+:(?!\/\/)/.test(url));
}

/** Where git's `enter_repo` looks. */
async function isRepository(ctx: ToolContext, path: string): Promise<boolean> {
  const { fs } = ctx.workspace;
  for (const place of [`${path}/.git`, `${path}/HEAD`, `${path}.git/.git`, `${path}.git/HEAD`])
    if (await fs.exists(place)) return true;
  return false;
}

function beyond(ctx: ToolContext, cwd: string): ToolError {
  const { root } = ctx.paths;
  return new ToolError(
    "OUTSIDE_ROOT",
    `The repository of ${cwd} reaches beyond ${root}, so git is not available in it. Use git init for one of your own.`,
  );
}

function near(url: string): ToolError {
  return new ToolError(
    "COMMAND_REFUSED",
    `${JSON.stringify(url.slice(0, 200))} is a repository of this workspace, which is not available as a remote here. Use an https address.`,
    { field: "argv" },
  );
}
