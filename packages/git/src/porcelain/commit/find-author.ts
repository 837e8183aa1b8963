/** `--author`: `Name <email>`, or a part of the name of an earlier author. */
import { GitError } from "../../errors.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Repository } from "../../repository.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { DateQueue } from "../../revision/date-queue.ts";
import { peelTo } from "../../revision/peel.ts";

export async function findAuthor(repo: Repository, text: string): Promise<{ name: string; email: string }> {
  const [, name, email] = /^(.*)<([^<>]*)>$/s.exec(text.trimEnd()) ?? [];
  if (name !== undefined && email !== undefined) return { name: name.trim(), email: email.trim() };
  const found = await findInHistory(repo, text.toLowerCase());
  if (found) return found;
  throw new GitError("ENOTFOUND", `--author '${text}' is not 'Name <email>' and matches no existing author`);
}

/** Newest first over all refs, as `git rev-list --all -i --author` does. */
async function findInHistory(repo: Repository, part: string): Promise<{ name: string; email: string } | null> {
  const reader = commitReader(repo);
  const queue = new DateQueue<Awaited<ReturnType<typeof reader.read>>>();
  const seen = new Set<string>();
  const push = async (oid: Parameters<typeof reader.read>[0]) => {
    if (seen.has(oid)) return;
    seen.add(oid);
    const node = await reader.find(oid);
    if (node) queue.push(node);
  };
  const head = (await repo.refs.resolve("HEAD"))?.oid;
  for (const oid of [head, ...(await repo.refs.list()).map((ref) => ref.oid)]) {
    const commit = oid ? await peelTo(repo, oid, "commit") : null;
    if (commit) await push(commit);
  }
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    const { author } = parseCommit((await repo.odb.need(node.oid, "commit")).body);
    if (`${author.name} <${author.email}>`.toLowerCase().includes(part)) return author;
    for (const parent of node.parents) await push(parent);
  }
  return null;
}
