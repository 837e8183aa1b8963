/** `.git/rebase-merge`: git's own files, so that either git can continue what the other began. */

import { GitError } from "../../errors.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { decode, encode } from "../../text/bytes.ts";
import { formatTodo, parseTodo, type TodoItem } from "./todo-item.ts";

export interface RebaseState {
  /** "refs/heads/topic" or "detached HEAD". */
  readonly headName: string;
  readonly onto: Oid;
  readonly origHead: Oid;
  readonly todo: readonly TodoItem[];
  readonly done: readonly TodoItem[];
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly strategyOptions: readonly string[];
  /** What to do with commits that became empty. */
  readonly redundant: "drop" | "keep" | "ask";
  readonly signoff: boolean;
  /** Source of the committer's date: "author", "now" for both, or the default. */
  readonly dates: "committer" | "author" | "ignore";
  readonly force: boolean;
  /** A failed exec stays in the list. */
  readonly rescheduleExec?: boolean;
  /** The temporary empty commit that parentless commits are put on: of `--root`, or of `reset [new root]`. */
  squashOnto?: Oid;
}

export const rebaseFolder = ({ gitDir }: Pick<Repository, "gitDir">) => `${gitDir}/rebase-merge`;

/** The action in reflogs: a pull sets its own. */
export const rebaseAction = ({ env }: Pick<Repository, "env">) => env.GIT_REFLOG_ACTION || "rebase";

const MESSAGES = "workspace-messages";

export async function isRebasing({ fs, gitDir }: Pick<Repository, "fs" | "gitDir">): Promise<boolean> {
  return fs.exists(rebaseFolder({ gitDir }));
}

export async function writeRebaseState(repo: Repository, state: RebaseState): Promise<void> {
  const { fs } = repo;
  const folder = rebaseFolder(repo);
  await fs.mkdir(folder, { recursive: true });
  const files: Record<string, string | null> = {
    "head-name": `${state.headName}\n`,
    onto: `${state.onto}\n`,
    "orig-head": `${state.origHead}\n`,
    interactive: "",
    quiet: state.quiet ? "t\n" : null,
    verbose: state.verbose ? "\n" : null,
    signoff: state.signoff ? "--signoff\n" : null,
    drop_redundant_commits: state.redundant === "drop" ? "" : null,
    keep_redundant_commits: state.redundant === "keep" ? "" : null,
    [state.rescheduleExec ? "reschedule-failed-exec" : "no-reschedule-failed-exec"]: "",
    cdate_is_adate: state.dates === "author" ? "\n" : null,
    ignore_date: state.dates === "ignore" ? "\n" : null,
    strategy_opts:
      state.strategyOptions.length > 0 ? ` ${state.strategyOptions.map((word) => `'--${word}'`).join(" ")}\n` : null,
    "squash-onto": state.squashOnto === undefined ? null : `${state.squashOnto}\n`,
    end: `${state.done.length + state.todo.length}\n`,
  };
  const messages = state.todo.flatMap(({ oid, message }) => (message === undefined ? [] : [[oid, message]]));
  // Not in git, which would open an editor for them.
  if (messages.length > 0) files[MESSAGES] = JSON.stringify(Object.fromEntries(messages));
  for (const [name, text] of Object.entries(files))
    if (text !== null) await fs.writeFile(`${folder}/${name}`, encode(text));
  await saveProgress(repo, state);
}

export async function saveProgress(
  repo: Repository,
  { todo, done }: Pick<RebaseState, "todo" | "done">,
): Promise<void> {
  const folder = rebaseFolder(repo);
  await repo.fs.writeFile(`${folder}/git-rebase-todo`, encode(formatTodo(todo)));
  await repo.fs.writeFile(`${folder}/done`, encode(formatTodo(done)));
  await repo.fs.writeFile(`${folder}/msgnum`, `${done.length}\n`);
}

export async function readRebaseState(repo: Repository): Promise<RebaseState> {
  const folder = rebaseFolder(repo);
  const names = new Set(await repo.fs.readdir(folder));
  const read = async (name: string) => {
    const [bytes] = await repo.fs.readMany([`${folder}/${name}`]);
    return bytes ? decode(bytes) : "";
  };
  const oid = async (name: string) => {
    const value = parseOid((await read(name)).trim());
    if (value === null) throw new GitError("ECORRUPT", `could not read '${folder}/${name}'.`);
    return value;
  };
  const options = [...(await read("strategy_opts")).matchAll(/'--((?:[^'])*)'/g)].map((match) => match[1] as string);
  return {
    headName: (await read("head-name")).trim(),
    onto: await oid("onto"),
    origHead: await oid("orig-head"),
    todo: withMessages(await parseTodo(repo, await read("git-rebase-todo")), await read(MESSAGES)),
    done: await parseTodo(repo, await read("done")),
    quiet: names.has("quiet") && (await read("quiet")).trim() !== "",
    verbose: names.has("verbose"),
    strategyOptions: options,
    redundant: names.has("keep_redundant_commits") ? "keep" : names.has("drop_redundant_commits") ? "drop" : "ask",
    signoff: names.has("signoff"),
    dates: names.has("cdate_is_adate") ? "author" : names.has("ignore_date") ? "ignore" : "committer",
    force: false,
    rescheduleExec: names.has("reschedule-failed-exec"),
    ...(names.has("squash-onto") ? { squashOnto: await oid("squash-onto") } : {}),
  };
}

function withMessages(todo: readonly TodoItem[], text: string): TodoItem[] {
  const messages = text === "" ? {} : (JSON.parse(text) as Record<string, string>);
  return todo.map((item) => {
    const message = item.command === "reword" && item.oid !== null ? messages[item.oid] : undefined;
    return message === undefined ? item : { ...item, message };
  });
}

export async function removeRebaseState(repo: Repository): Promise<void> {
  await repo.fs.rm(rebaseFolder(repo), { recursive: true, force: true });
  await repo.fs.rm(`${repo.gitDir}/REBASE_HEAD`, { force: true });
}

export function alreadyRebasing(repo: Repository): GitError {
  return new GitError(
    "ESTATE",
    `It seems that there is already a rebase-merge directory, and
I wonder if you are in the middle of another rebase.  If that is the
case, please try
\tgit rebase (--continue | --abort | --skip)
If that is not the case, please
\trm -fr "${repo.displayGitDir ?? rebaseFolder(repo).replace(/\/rebase-merge$/, () => "")}/rebase-merge"
and run me again.  I am stopping in case you still have something
valuable there.
`,
  );
}
