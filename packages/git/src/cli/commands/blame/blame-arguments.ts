/** Parses the arguments of `blame`: the file, the revisions, and the text to begin with. */

import { FileContents } from "../../../diff/file-contents.ts";
import { GitError } from "../../../errors.ts";
import { type Oid, parseOid } from "../../../object/oid.ts";
import type { BlameStart } from "../../../porcelain/blame/blame.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { peelTo } from "../../../revision/peel.ts";
import { RevisionArguments } from "../../../revision/revision-arguments.ts";
import { entryAtPath } from "../../../revision/tree-path.ts";
import type { Tip } from "../../../revision/walk-options.ts";
import { absolutePath } from "../../../text/absolute-path.ts";
import { decode } from "../../../text/bytes.ts";
import { pathInTree } from "../../../text/relative-path.ts";
import type { CommandContext } from "../../framework/command.ts";
import type { FlagTable, ParsedFlagSubset } from "../../framework/flag-table.ts";

export async function readBlameArguments(
  context: CommandContext,
  repo: Repository,
  { args, afterDashes }: Pick<ParsedFlagSubset<FlagTable>, "args" | "afterDashes">,
  usage: () => GitError,
) {
  let words = [...args];
  let name: string;
  if (afterDashes !== null) {
    if (afterDashes.length === 0 || afterDashes.length > 2) throw usage();
    name = afterDashes[0] as string;
    if (afterDashes.length === 2) {
      if (args.length > 0) throw usage();
      words = [afterDashes[1] as string];
    }
  } else {
    if (words.length === 0) throw usage();
    const isSwapped = words.length === 2 && (await isRevision(repo, words[1] as string));
    name = isSwapped ? (words.shift() as string) : (words.pop() as string);
  }
  const path = pathInTree(repo, name);
  if (path === null)
    throw new GitError("EINVAL", `'${name}' is outside repository at '${repo.workTree ?? context.cwd}'`);
  const revisions = new RevisionArguments(repo);
  for (const word of words) {
    if (!(await revisions.revision(word))) throw new GitError("ENOTFOUND", `bad revision '${word}'`);
  }
  return { path: path.replace(/\/$/, () => ""), revisions };
}

async function isRevision(repo: Repository, text: string): Promise<boolean> {
  const found = await findRevision(repo, text, { quiet: true }).catch(() => null);
  return found !== null;
}

export async function findBlameStart(
  context: CommandContext,
  repo: Repository,
  path: string,
  named: readonly Tip[],
  contents: string | false | undefined,
): Promise<BlameStart> {
  const tips = named.filter(({ uninteresting }) => !uninteresting);
  if (tips.length > 1) {
    throw new GitError("EINVAL", `More than one commit to dig from ${tips[0]?.name} and ${tips[1]?.name}?`);
  }
  const tip = tips[0];
  if (tip) {
    const tree = (await peelTo(repo, tip.oid, "tree")) as Oid;
    const entry = await entryAtPath(repo, tree, path);
    if (!entry || (entry.mode & 0o170000) === 0o040000) {
      throw new GitError("ENOTFOUND", `no such path ${path} in ${tip.name}`);
    }
    const content = (await repo.odb.need(entry.oid, "blob")).body;
    return { commit: tip.oid, path, mode: entry.mode, blob: entry.oid, content, parents: [] };
  }
  return workTreeStart(context, repo, path, contents);
}

/** Uncommitted changes count as a commit of their own, on top of HEAD and of the heads being merged. */
async function workTreeStart(
  context: CommandContext,
  repo: Repository,
  path: string,
  file: string | false | undefined,
): Promise<BlameStart> {
  const head = await repo.refs.resolve("HEAD");
  if (!head?.oid) throw new GitError("ENOTFOUND", "no such ref: HEAD");
  const parents = [head.oid, ...(await mergeHeads(repo))];
  if (!(await isKnown(repo, path, parents))) throw new GitError("ENOTFOUND", `no such path '${path}' in HEAD`);
  if (file) {
    const content =
      file === "-" ? await context.stdin.bytes() : await context.host.fs.readFile(absolutePath(file, context.cwd));
    return { commit: null, path, mode: 0o100644, blob: null, content, parents };
  }
  const { workTree, fs } = await context.workTree();
  const stat = await fs.lstat(`${workTree}/${path}`).catch(() => null);
  if (stat === null) throw new GitError("ENOTFOUND", `Cannot lstat '${path}': No such file or directory`);
  const mode = stat.type === "symlink" ? 0o120000 : 0o100644;
  const content = await new FileContents(repo).content({ path, mode, oid: null, stat });
  if (content === null) throw new GitError("ETOOBIG", `cannot hold '${path}' to blame it`);
  return { commit: null, path, mode, blob: null, content, parents };
}

async function mergeHeads({ fs, gitDir }: Repository): Promise<Oid[]> {
  const [bytes] = await fs.readMany([`${gitDir}/MERGE_HEAD`]);
  const oids = bytes ? decode(bytes).split("\n").map(parseOid) : [];
  return oids.filter((oid): oid is Oid => oid !== null);
}

async function isKnown(repo: Repository, path: string, parents: readonly Oid[]): Promise<boolean> {
  for (const parent of parents) {
    const tree = await peelTo(repo, parent, "tree");
    const entry = tree && (await entryAtPath(repo, tree, path));
    if (entry && (entry.mode & 0o170000) !== 0o040000) return true;
  }
  return ((await repo.readIndexEntries?.(path)) ?? []).length > 0;
}
