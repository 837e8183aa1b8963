/** The heads in FETCH_HEAD to merge, and the merge message: "Merge branch 'topic' of https://… into x". */
import { type Oid, parseOid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { independentCommits } from "../../revision/merge-base.ts";
import { peelTo } from "../../revision/peel.ts";
import { mergeMessage, taggedText } from "./merge-message.ts";

export interface FetchedHead {
  /** A commit. */
  readonly oid: Oid;
  /** "branch 'main' of ../up", or only an address. */
  readonly note: string;
  /** Set for an annotated tag. */
  readonly tag?: Oid;
}

export async function readFetchHead(repo: Repository): Promise<FetchedHead[]> {
  const text = await repo.fs.readFile(`${repo.gitDir}/FETCH_HEAD`, "utf8").catch(() => "");
  const heads: FetchedHead[] = [];
  for (const line of text.split("\n")) {
    const [name = "", mark, note = ""] = line.split("\t");
    const oid = mark === "" ? parseOid(name) : null;
    const commit = oid && (await peelTo(repo, oid, "commit"));
    if (!commit) continue;
    const isTag = commit !== oid && (await repo.odb.header(oid))?.type === "tag";
    heads.push({ oid: commit, note, ...(isTag ? { tag: oid } : {}) });
  }
  return heads;
}

/** Drops heads that HEAD or another head contains. */
export async function independentHeads(repo: Repository, heads: readonly FetchedHead[]): Promise<FetchedHead[]> {
  const head = (await repo.refs.resolve("HEAD"))?.oid ?? null;
  if (head === null) return [...heads];
  const retained = new Set(await independentCommits(repo, [head, ...heads.map(({ oid }) => oid)]));
  return heads.filter(({ oid }) => retained.has(oid));
}

const KINDS = [
  ["branch", "branch ", "branches "],
  ["remote-tracking branch", "remote-tracking branch ", "remote-tracking branches "],
  ["tag", "tag ", "tags "],
] as const;

/** Without a newline at the end. */
export async function fetchedMessage(
  repo: Repository,
  heads: readonly FetchedHead[],
  head: Oid,
  named: { readonly into?: string } = {},
): Promise<string> {
  const sources = new Map<string, { kind: string; name: string }[]>();
  for (const { note } of heads) {
    const [, kind = "", name = "", from] =
      /^(?:(branch|remote-tracking branch|tag) '(.*)' of )?(.*)$/s.exec(note) ?? [];
    const list = sources.get(from ?? "");
    if (list) list.push({ kind, name });
    else sources.set(from ?? "", [{ kind, name }]);
  }
  const titles = [...sources].map(([from, names]) => fetchHeadTitle(from, names));
  // A merge message without heads contains only the destination.
  const destination = (await mergeMessage(repo, [], { head, ...named })).slice("Merge ".length);
  let text = `Merge ${titles.join("; ")}${destination}\n`;
  for (const { tag, note } of heads)
    if (tag !== undefined) text += await taggedText(repo, tag, heads.length === 1 ? null : note);
  return text.slice(0, -1);
}

function fetchHeadTitle(from: string, names: readonly { kind: string; name: string }[]): string {
  const parts: string[] = [];
  for (const [kind, one, many] of KINDS) {
    const quoted = names.filter((entry) => entry.kind === kind).map(({ name }) => `'${name}'`);
    if (quoted.length === 0) continue;
    const list = quoted.length === 1 ? quoted[0] : `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`;
    parts.push(`${quoted.length === 1 ? one : many}${list}`);
  }
  if (parts.length === 0) return from;
  return from === "." ? parts.join(", ") : `${parts.join(", ")} of ${from}`;
}
