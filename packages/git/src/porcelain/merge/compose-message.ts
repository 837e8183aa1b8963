/** The message of a merge: the given one or git's own, with the log of what is merged if that is wanted. */
import type { Oid } from "../../object/oid.ts";
import type { WorkRepository } from "../../worktree/work-tree-stats.ts";
import { type FetchedHead, fetchedMessage } from "./fetch-head.ts";
import { type MergeHead, mergeMessage } from "./merge-message.ts";

export interface ComposeMessageOptions {
  readonly input: string | undefined;
  /** How many subjects to list; 0: none. */
  readonly log: number;
  /** For a merge of FETCH_HEAD; empty for any other. */
  readonly fetched?: readonly FetchedHead[];
  /** The branch's name in the message. */
  readonly into?: string;
}

export async function composeMessage(
  repo: WorkRepository,
  heads: readonly MergeHead[],
  { input, log, fetched = [], into }: ComposeMessageOptions,
): Promise<string> {
  const head = (await repo.refs.resolve("HEAD"))?.oid as Oid;
  if (input !== undefined && log === 0) return input;
  const named = into === undefined ? {} : { into };
  if (fetched.length === 0) return mergeMessage(repo, heads, { log, head, ...named, input });
  const title = input ?? (await fetchedMessage(repo, fetched, head, named));
  const noted = heads.map(({ oid }) => {
    const from = fetched.find((one) => one.oid === oid);
    return { oid, name: fetchedName(from) ?? oid, ...(from?.note.startsWith("tag ") ? { label: from.note } : {}) };
  });
  return log === 0 ? title : mergeMessage(repo, noted, { log, head, input: title });
}

/** "topic" of "branch 'topic' of ../up". */
function fetchedName(head: FetchedHead | undefined): string | undefined {
  return head === undefined ? undefined : /'(.*)'/.exec(head.note)?.[1];
}
