/** The text that a blame begins with: a file of a commit, of the work tree, or given contents. */

import { FileContents } from "../../diff/file-contents.ts";
import { GitError } from "../../errors.ts";
import { isTreeMode, MODE_FILE, MODE_SYMLINK } from "../../object/file-mode.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { peelTo } from "../../revision/peel.ts";
import { entryAtPath } from "../../revision/tree-path.ts";
import type { Tip } from "../../revision/walk-options.ts";
import { decode } from "../../text/bytes.ts";
import type { BlameStart } from "./blame.ts";

/** `contents`: used instead of the file in the work tree. */
export async function findBlameStart(
  repo: Repository,
  path: string,
  named: readonly Tip[],
  contents: (() => Promise<Uint8Array>) | null = null,
): Promise<BlameStart> {
  const tips = named.filter(({ uninteresting }) => !uninteresting);
  if (tips.length > 1) {
    throw new GitError("EINVAL", `More than one commit to dig from ${tips[0]?.name} and ${tips[1]?.name}?`);
  }
  const tip = tips[0];
  if (tip) {
    const tree = (await peelTo(repo, tip.oid, "tree")) as Oid;
    const entry = await entryAtPath(repo, tree, path);
    if (!entry || isTreeMode(entry.mode)) {
      throw new GitError("ENOTFOUND", `no such path ${path} in ${tip.name}`);
    }
    const content = (await repo.odb.need(entry.oid, "blob")).body;
    return { commit: tip.oid, path, mode: entry.mode, blob: entry.oid, content, parents: [] };
  }
  return workTreeStart(repo, path, contents);
}

/** Uncommitted changes count as a commit of their own, on top of HEAD and of the heads being merged. */
async function workTreeStart(
  repo: Repository,
  path: string,
  contents: (() => Promise<Uint8Array>) | null,
): Promise<BlameStart> {
  const head = await repo.refs.resolve("HEAD");
  if (!head?.oid) throw new GitError("ENOTFOUND", "no such ref: HEAD");
  const parents = [head.oid, ...(await mergeHeads(repo))];
  if (!(await isKnown(repo, path, parents))) throw new GitError("ENOTFOUND", `no such path '${path}' in HEAD`);
  if (contents !== null) return { commit: null, path, mode: MODE_FILE, blob: null, content: await contents(), parents };
  const { workTree, fs } = repo;
  if (workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
  const stat = await fs.lstat(`${workTree}/${path}`).catch(() => null);
  if (stat === null) throw new GitError("ENOTFOUND", `Cannot lstat '${path}': No such file or directory`);
  const mode = stat.type === "symlink" ? MODE_SYMLINK : MODE_FILE;
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
    if (entry && !isTreeMode(entry.mode)) return true;
  }
  return ((await repo.readIndexEntries?.(path)) ?? []).length > 0;
}
