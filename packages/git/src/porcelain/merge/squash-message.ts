/** SQUASH_MSG: every commit that a squash includes, as `git log` shows it. */

import { formatDate } from "../../date/format-date.ts";
import { localTime, zoneMinutes } from "../../date/local-time.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { Signature } from "../../object/signature.ts";
import { prettyPrint } from "../../pretty/pretty-print.ts";
import type { Repository } from "../../repository.ts";
import { walk } from "../../revision/walk.ts";
import { logOutputEncoding } from "../../text/encodings.ts";

export async function squashMessage(repo: Repository, head: Oid, heads: readonly Oid[]): Promise<string> {
  const time = localTime(repo.host, repo.env);
  const date = ({ seconds, zone }: Signature) => formatDate(seconds, zoneMinutes(zone), { kind: "normal" }, time);
  const context = {
    repo,
    format: { kind: "medium", expandTabs: 8 },
    date,
    abbrev: undefined,
    mailmap: null,
  } as unknown as Parameters<typeof prettyPrint>[0];
  let text = "Squashed commit of the following:\n";
  const tips = [...heads.map((oid) => ({ oid })), { oid: head, uninteresting: true }];
  for await (const { oid } of walk(repo, { tips, maxParents: 1 })) {
    const commit = parseCommit((await repo.odb.need(oid, "commit")).body, logOutputEncoding(repo.config));
    text += `\ncommit ${oid}\n${await prettyPrint(context, { oid, commit, parents: commit.parents })}`;
  }
  return text;
}
