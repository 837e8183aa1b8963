/** Stops a rebase: writes the state that a later `--continue` reads. */
import { diffDefaults } from "../../diff/diff-options.ts";
import { diffTrees } from "../../diff/diff-trees.ts";
import { writeDiff } from "../../patch/patch-writer.ts";
import { concat, encode } from "../../text/bytes.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { treeOfCommit } from "../checkout/switch-branch.ts";
import type { LabelledCommit } from "../sequencer/commit-label.ts";
import type { RebaseEnd } from "./rebase-event.ts";
import { rebaseFolder } from "./rebase-state.ts";
import type { TodoItem } from "./todo-item.ts";

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
  await fs.rm(`${repo.gitDir}/CHERRY_PICK_HEAD`, { force: true });
}

/** Stops at a commit whose change is in HEAD already (`--empty=ask`). */
export async function stopForEmpty(
  repo: WorkRepository,
  { text }: TodoItem,
  picked: LabelledCommit,
): Promise<RebaseEnd> {
  await writeStop(repo, picked);
  await repo.fs.writeFile(`${repo.gitDir}/CHERRY_PICK_HEAD`, `${picked.oid}\n`);
  await repo.fs.writeFile(`${repo.gitDir}/MERGE_MSG`, encode(picked.message));
  return { kind: "empty", picked, text };
}

export async function stopForEdit(
  repo: WorkRepository,
  { text }: TodoItem,
  picked: LabelledCommit,
): Promise<RebaseEnd> {
  await writeStop(repo, picked);
  await repo.fs.writeFile(`${rebaseFolder(repo)}/amend`, `${(await repo.refs.resolve("HEAD"))?.oid}\n`);
  return { kind: "edit", picked, text };
}
