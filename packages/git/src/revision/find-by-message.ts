/** `:/text` and `^{/text}`: the newest commit whose message matches. */

import type { Oid } from "../object/oid.ts";
import { compilePosix } from "../regex/posix-regex.ts";
import type { Repository } from "../repository.ts";
import { decode } from "../text/bytes.ts";
import { type CommitNode, commitReader } from "./commit-node.ts";
import { peelTo } from "./peel.ts";

type SearchRepository = Pick<Repository, "fs" | "gitDir" | "commonDir" | "odb" | "refs" | "limits">;

/** `start`: search from there; null: from every ref and HEAD. */
export async function findByMessage(repo: SearchRepository, text: string, start: Oid | null): Promise<Oid | null> {
  const read = readPattern(text);
  if (!read) return null;
  const { negative, pattern } = read;
  const regex = compilePosix(pattern, { syntax: "extended" });
  const reader = commitReader(repo);
  const queue: CommitNode[] = [];
  const seen = new Set<Oid>();
  const add = async (oid: Oid | null | undefined) => {
    if (!oid || seen.has(oid)) return;
    seen.add(oid);
    const node = await reader.find(oid);
    if (!node) return;
    let at = queue.length;
    while (at > 0 && (queue[at - 1] as CommitNode).seconds <= node.seconds) at--;
    queue.splice(at, 0, node);
  };
  if (start) await add(start);
  else {
    for (const ref of await repo.refs.list()) await add(await peelTo(repo, ref.oid, "commit"));
    await add((await repo.refs.resolve("HEAD"))?.oid);
  }
  for (let node = queue.shift(); node; node = queue.shift()) {
    const { body } = await repo.odb.need(node.oid, "commit");
    const raw = decode(body);
    const gap = raw.indexOf("\n\n");
    const matches = gap >= 0 && regex.test(raw.slice(gap + 2));
    if (matches !== negative) return node.oid;
    for (const parent of node.parents) await add(parent);
  }
  return null;
}

/** "!-text" negates, "!!" is a literal "!"; git reserves other "!". */
function readPattern(text: string): { negative: boolean; pattern: string } | null {
  // For `:/` alone git matches no message, and then it is the pathspec of the top.
  if (text === "") return null;
  if (!text.startsWith("!")) return { negative: false, pattern: text };
  if (text.startsWith("!-")) return { negative: true, pattern: text.slice(2) };
  if (text.startsWith("!!")) return { negative: false, pattern: text.slice(1) };
  return null;
}
