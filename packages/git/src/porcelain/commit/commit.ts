/**
 * Creates a commit from the index: trees first, then the commit, then the ref, then the refreshed index. A rejection on the way
 * leaves everything unchanged.
 */

import { GitError } from "../../errors.ts";
import type { IndexFile } from "../../index/index-file.ts";
import { lockIndex, writeIndex } from "../../index/write-index.ts";
import { writeTree } from "../../index/write-tree.ts";
import { addTrailers, trailerOptions } from "../../message/add-trailers.ts";
import { type Commit, parseCommit } from "../../object/commit.ts";
import { EMPTY_TREE, type Oid, parseOid } from "../../object/oid.ts";
import type { Signature } from "../../object/signature.ts";
import type { Pathspec } from "../../pathspec/pathspec.ts";
import { refuseEditor } from "../../repository/editor.ts";
import { checkHooks, printSkippedHooks } from "../../repository/hooks.ts";
import { authorIdentity, committerIdentity } from "../../repository/identity.ts";
import type { Repository } from "../../repository.ts";
import { independentCommits } from "../../revision/merge-base.ts";
import { commitTreeOid } from "../../revision/peel.ts";
import { decode, encode } from "../../text/bytes.ts";
import { prepareIndex } from "./commit-index.ts";
import {
  type Cleanup,
  cleanMessage,
  commitMessage,
  isEmptyMessage,
  isUntouched,
  type MessageSource,
  refuseNul,
  signOff,
} from "./commit-message.ts";
import { postCommitCleanup } from "./post-commit-cleanup.ts";
import { commitToRewrite, writeCommit } from "./write-commit.ts";

export interface CommitOptions extends MessageSource {
  mode?: "index" | "all" | "include" | "only";
  pathspec: Pathspec;
  amend?: boolean;
  allowEmpty?: boolean;
  allowEmptyMessage?: boolean;
  /** Whether the message needs an editor, which is refused. */
  edit?: boolean;
  cleanup?: Cleanup;
  /** The author, instead of the one from environment and configuration. */
  author?: { readonly name: string; readonly email: string };
  /** A commit to copy the author from. */
  authorFrom?: Oid;
  date?: string;
  /** The committer becomes the author, even for a picked commit. */
  resetAuthor?: boolean;
  signoff?: boolean;
  trailers?: readonly string[];
  noVerify?: boolean;
  /** Stops before anything is stored. */
  dryRun?: boolean;
}

export type CommitResult =
  | {
      readonly kind: "committed";
      readonly oid: Oid;
      readonly commit: Commit;
      readonly isRoot: boolean;
      readonly headName: string | null;
      readonly picked: boolean;
    }
  /** Nothing to commit; `index` is what would have been committed. */
  | { readonly kind: "nothing"; readonly index: IndexFile; readonly whence: Whence }
  | { readonly kind: "dry-run"; readonly index: IndexFile; readonly whence: Whence };

export type Whence = "commit" | "merge" | "cherry-pick" | "rebase";

type WorkRepository = Repository & { readonly workTree: string };

export async function commit(repo: WorkRepository, options: CommitOptions): Promise<CommitResult> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  const headRef = await repo.refs.read("HEAD");
  const merging = await readMergeState(repo);
  const { whence } = merging;
  if (options.amend && head === null) throw new GitError("ESTATE", "You have nothing to amend.");
  if (options.amend && whence !== "commit") {
    throw new GitError("ESTATE", `You are in the middle of a ${whence} -- cannot amend.`);
  }
  const lock = await lockIndex(repo);
  try {
    const old = head === null ? null : parseCommit((await repo.odb.need(head, "commit")).body);
    const mode = options.mode ?? "index";
    const { committed, index } = await prepareIndex(repo, { mode, pathspec: options.pathspec, head, whence });
    if (!options.dryRun) checkMerged(index);
    const parents = options.amend ? (old?.parents ?? []) : await commitParents(repo, head, merging);
    if (options.dryRun) {
      await lock.release();
      return { kind: "dry-run", index: committed, whence };
    }
    const operation = options.amend ? "amend" : "commit";
    await checkHooks(repo, operation, { noVerify: options.noVerify });
    const { oid: tree, tree: cached } = await writeTree(repo.odb, committed);
    const changes = tree !== (await treeOfParent(repo, parents[0]));
    const isMerge = parents.length > 1;
    if (!changes && !options.allowEmpty && !isMerge && !(whence === "merge")) {
      await lock.release();
      return { kind: "nothing", index: committed, whence };
    }
    const authorFrom = options.resetAuthor ? undefined : (options.authorFrom ?? merging.picked ?? undefined);
    const author = await authorOf(repo, options, authorFrom);
    const committer = committerIdentity(repo);
    const message = await finalMessage(repo, options, committer);
    refuseNul(message, { exitCode: 128, hint: "fatal: failed to write commit object\n" });
    const retained = options.amend ? preservedHeaders(old) : {};
    const { oid, commit: created } = await writeCommit(repo, {
      tree,
      parents,
      author,
      committer,
      message,
      ...retained,
    });
    const action = repo.env.GIT_REFLOG_ACTION ?? reflogAction(options, whence, head);
    const reason = `${action}: ${message.split("\n", 1)[0]}`;
    await repo.refs.update([{ name: "HEAD", to: oid, from: head, message: reason }], committer);
    await writeIndex(repo, mode === "only" ? index : { ...index, tree: cached }, lock);
    await removeMergeState(repo, merging);
    await printSkippedHooks(repo, operation);
    const headName = headRef?.kind === "symbolic" ? headRef.target : null;
    return {
      kind: "committed",
      oid,
      commit: created,
      isRoot: head === null,
      headName,
      picked: merging.picked !== null,
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface MergeState {
  readonly whence: Whence;
  readonly heads: readonly Oid[];
  readonly noFastForward: boolean;
  /** The commit being picked. */
  readonly picked: Oid | null;
  readonly files: readonly string[];
}

const STATE_FILES = [
  "MERGE_HEAD",
  "MERGE_MODE",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "MERGE_MSG",
  "SQUASH_MSG",
  "AUTO_MERGE",
];

async function readMergeState({ fs, gitDir }: Repository): Promise<MergeState> {
  const read = await fs.readMany(STATE_FILES.map((name) => `${gitDir}/${name}`));
  const text = (name: string) => {
    const bytes = read[STATE_FILES.indexOf(name)];
    return bytes ? decode(bytes) : null;
  };
  const heads = (text("MERGE_HEAD") ?? "")
    .split("\n")
    .map(parseOid)
    .filter((oid) => oid !== null);
  const picked = parseOid((text("CHERRY_PICK_HEAD") ?? "").trim());
  const isRebase = picked !== null && (await fs.exists(`${gitDir}/rebase-merge`));
  return {
    whence: heads.length > 0 ? "merge" : isRebase ? "rebase" : picked !== null ? "cherry-pick" : "commit",
    heads,
    noFastForward: text("MERGE_MODE") === "no-ff",
    picked,
    files: STATE_FILES.filter((_, i) => read[i] !== null),
  };
}

async function commitParents(repo: Repository, head: Oid | null, { heads, noFastForward }: MergeState): Promise<Oid[]> {
  if (head === null) return [];
  if (heads.length === 0) return [head];
  const parents = [head, ...heads.filter((oid) => oid !== head)];
  return noFastForward ? parents : independentCommits(repo, parents);
}

function checkMerged({ entries }: IndexFile): void {
  const paths = new Set(entries.filter(({ stage }) => stage !== 0).map(({ path }) => path));
  if (paths.size === 0) return;
  throw new UnmergedError([...paths]);
}

/** The paths go to stdout, before the error. */
export class UnmergedError extends GitError {
  constructor(readonly paths: readonly string[]) {
    const text = `Committing is not possible because you have unmerged files.
hint: Fix them up in the work tree, and then use 'git add/rm <file>'
hint: as appropriate to mark resolution and make a commit.
fatal: Exiting because of an unresolved conflict.`;
    super("ESTATE", text, { prefix: "error" });
  }
}

async function treeOfParent({ odb }: Repository, parent: Oid | undefined): Promise<Oid> {
  return parent === undefined ? EMPTY_TREE : commitTreeOid((await odb.need(parent, "commit")).body);
}

async function authorOf(repo: Repository, options: CommitOptions, from: Oid | undefined): Promise<Signature> {
  const input = { ...options.author, ...(options.date === undefined ? {} : { date: options.date }) };
  if (from === undefined) return authorIdentity(repo, input);
  const { author } = await commitToRewrite(repo, from);
  const retained = { name: author.name, email: author.email, date: { seconds: author.seconds, zone: author.zone } };
  return authorIdentity(repo, { ...retained, ...input });
}

async function finalMessage(repo: Repository, options: CommitOptions, committer: Signature): Promise<string> {
  let text = await commitMessage(repo, options);
  const cleanup = options.cleanup ?? "whitespace";
  const comment = repo.config.get("core.commentchar") ?? "#";
  // git cleans a message of several sources before it adds trailers.
  if (cleanup !== "verbatim") text = ensureTrailingNewline(text);
  const who = `${committer.name} <${committer.email}>`;
  if (options.signoff) text = signOff(text, who, comment, trailerOptions(repo.config));
  if (options.trailers?.length) text = addTrailers(text, options.trailers, repo.config);
  const editing = options.edit === true;
  await repo.fs.writeFile(`${repo.gitDir}/COMMIT_EDITMSG`, encode(text));
  if (editing) refuseEditor(repo);
  const clean = cleanMessage(text, cleanup, comment);
  if (isEmptyMessage(clean, cleanup) && !options.allowEmptyMessage) {
    throw new GitError("EINVAL", "Aborting commit due to empty commit message.", { prefix: "", exitCode: 1 });
  }
  const { template } = options;
  const isTemplate = template !== undefined && !options.message && !options.file && !options.from && !options.fixup;
  if (isTemplate && !options.allowEmptyMessage && isUntouched(clean, cleanMessage(template, cleanup, comment), cleanup))
    throw new GitError("EINVAL", "Aborting commit; you did not edit the message.", { prefix: "", exitCode: 1 });
  return clean;
}

function ensureTrailingNewline(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** An amended commit keeps its extra headers, except signatures and the encoding. */
function preservedHeaders(old: Commit | null): Pick<Commit, "extra"> {
  const extra = (old?.extra ?? []).filter(
    ({ name }) => name !== "gpgsig" && name !== "gpgsig-sha256" && name !== "encoding",
  );
  return extra.length === 0 ? {} : { extra };
}

function reflogAction({ amend }: CommitOptions, whence: Whence, head: Oid | null): string {
  if (head === null) return "commit (initial)";
  if (amend) return "commit (amend)";
  if (whence === "merge") return "commit (merge)";
  if (whence === "cherry-pick") return "commit (cherry-pick)";
  return whence === "rebase" ? "commit (rebase)" : "commit";
}

async function removeMergeState({ fs, gitDir }: Repository, { files }: MergeState): Promise<void> {
  for (const name of files) await fs.rm(`${gitDir}/${name}`, { force: true });
  await postCommitCleanup({ fs, gitDir }, new Set(files));
}
