/** Stops of a rebase: the state left for a later `--continue`, and the messages. */
import { adviceEnabled } from "../../config/advice.ts";
import { diffDefaults } from "../../diff/diff-options.ts";
import { diffTrees } from "../../diff/diff-trees.ts";
import { writeDiff } from "../../patch/patch-writer.ts";
import { concat, encode } from "../../text/bytes.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import type { LabelledCommit } from "../sequencer/commit-label.ts";
import { type RebaseState, rebaseFolder } from "./rebase-state.ts";
import type { TodoItem } from "./todo-item.ts";

export interface RebaseIo {
  out(text: string | Uint8Array): void;
  err(text: string | Uint8Array): void;
  /** Text that clears the progress line. */
  readonly clearLine: string;
  /** Prints the message of `git commit` for nothing to commit. */
  printEmptyCommit(): Promise<void>;
}

/** Writes what another git, or the user, needs to continue from here. */
export async function writeStop(repo: WorkRepository, { oid, commit, message }: LabelledCommit): Promise<void> {
  const { fs } = repo;
  const folder = rebaseFolder(repo);
  const { name, email, seconds, zone } = commit.author;
  const quoted = (text: string) => `'${text.replaceAll("'", () => "'\\''")}'`;
  await fs.writeFile(
    `${folder}/author-script`,
    encode(
      `GIT_AUTHOR_NAME=${quoted(name)}\nGIT_AUTHOR_EMAIL=${quoted(email)}\nGIT_AUTHOR_DATE=${quoted(`@${seconds} ${zone}`)}\n`,
    ),
  );
  await fs.writeFile(`${folder}/stopped-sha`, `${oid}\n`);
  if (!(await fs.exists(`${folder}/message`))) await fs.writeFile(`${folder}/message`, encode(message));
  const [parent] = commit.parents;
  const options = { ...diffDefaults(repo.config), formats: new Set(["patch"] as const) };
  const diff = await diffTrees(
    repo,
    parent === undefined ? null : await treeOfCommit(repo, parent),
    commit.tree,
    options,
  );
  const pieces: Uint8Array[] = [];
  await writeDiff((piece) => pieces.push(piece), diff, options);
  await fs.writeFile(`${folder}/patch`, concat(pieces));
  for (const file of ["CHERRY_PICK_HEAD"]) await fs.rm(`${repo.gitDir}/${file}`, { force: true });
}

export function printConflict(
  { config }: WorkRepository,
  { short, subject }: LabelledCommit,
  { text }: TodoItem,
  io: RebaseIo,
): void {
  io.err(`error: could not apply ${short}... ${subject}\n`);
  if (adviceEnabled(config, "mergeConflict")) {
    io.err(`hint: Resolve all conflicts manually, mark them as resolved with
hint: "git add/rm <conflicted_files>", then run "git rebase --continue".
hint: You can instead skip this commit: run "git rebase --skip".
hint: To abort and get back to the state before "git rebase", run "git rebase --abort".
`);
  }
  io.err(`Could not apply ${short}... ${text}\n`);
}

/** Stops at a commit whose content already exists (`--empty=ask`). */
export async function stopForEmpty(
  repo: WorkRepository,
  { text }: TodoItem,
  picked: LabelledCommit,
  io: RebaseIo,
): Promise<number> {
  await writeStop(repo, picked);
  await repo.fs.writeFile(`${repo.gitDir}/CHERRY_PICK_HEAD`, `${picked.oid}\n`);
  await repo.fs.writeFile(`${repo.gitDir}/MERGE_MSG`, encode(picked.message));
  await io.printEmptyCommit();
  io.err(`Could not apply ${picked.short}... ${text}\n`);
  return 1;
}

export async function stopForEdit(
  repo: WorkRepository,
  state: RebaseState,
  { text }: TodoItem,
  picked: LabelledCommit,
  io: RebaseIo,
): Promise<number> {
  await writeStop(repo, picked);
  await repo.fs.writeFile(`${rebaseFolder(repo)}/amend`, `${(await repo.refs.resolve("HEAD"))?.oid}\n`);
  const wipe = state.verbose || state.quiet ? "" : io.clearLine;
  io.err(`${wipe}Stopped at ${picked.short}...  ${text}
You can amend the commit now, with

  git commit --amend 

Once you are satisfied with your changes, run

  git rebase --continue
`);
  return 0;
}
