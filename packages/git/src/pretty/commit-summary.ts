/** The lines after a commit: `[main 1234567] subject`, author and date if notable, and the amount of change. */

import { formatDate } from "../date/format-date.ts";
import { localTime, zoneMinutes } from "../date/local-time.ts";
import { diffDefaults } from "../diff/diff-options.ts";
import { treePairs } from "../diff/diff-trees.ts";
import { runDiffcore } from "../diff/run-diffcore.ts";
import { commitSubject } from "../message/commit-message.ts";
import type { Commit } from "../object/commit.ts";
import type { Oid } from "../object/oid.ts";
import { summaryOf } from "../patch/patch-raw.ts";
import { statSummary } from "../patch/patch-stat.ts";
import { countLines, diffText } from "../patch/patch-text.ts";
import type { Repository } from "../repository.ts";
import { commitTreeOid } from "../revision/peel.ts";
import { commitOutputEncoding, logOutputEncoding, reencode, UTF8 } from "../text/encodings.ts";

interface CommitSummaryOptions {
  /** "refs/heads/main"; null: HEAD is detached. */
  headName: string | null;
  isRoot: boolean;
  /** The author's date was given, not the current time. */
  showDate: boolean;
}

export async function commitSummary(
  repo: Repository,
  oid: Oid,
  commit: Commit,
  { headName, isRoot, showDate }: CommitSummaryOptions,
): Promise<string> {
  const { author, committer } = commit;
  const { config } = repo;
  const subject = commitSubject(commit.message);
  const readable = reencode(subject, commitOutputEncoding(config), UTF8) ?? subject;
  const where = headName === null ? "detached HEAD" : headName.replace(/^refs\/heads\//, () => "");
  let text = `[${where}${isRoot ? " (root-commit)" : ""} ${await repo.odb.abbreviate(oid)}] ${readable}\n`;
  if (author.name !== committer.name || author.email !== committer.email) {
    text += ` Author: ${author.name} <${author.email}>\n`;
  }
  if (showDate) {
    const time = localTime(repo.host, repo.env);
    text += ` Date: ${formatDate(author.seconds, zoneMinutes(author.zone), { kind: "normal" }, time)}\n`;
  }
  text = reencode(text, UTF8, logOutputEncoding(config)) ?? text;
  return text + (commit.parents.length > 1 ? "" : await changeSummary(repo, commit));
}

/** ` 1 file changed, …` and what was created, deleted, renamed. */
async function changeSummary(repo: Repository, { tree, parents }: Commit): Promise<string> {
  const [parent] = parents;
  const before = parent === undefined ? null : commitTreeOid((await repo.odb.need(parent, "commit")).body);
  const options = {
    ...diffDefaults(repo.config),
    renames: "renames" as const,
    breaks: null,
  };
  const { pairs, contents } = await runDiffcore(repo, await treePairs(repo, before, tree, options), options);
  if (pairs.length === 0) return "";
  await contents.prepare(pairs);
  let added = 0;
  let deleted = 0;
  for (const pair of pairs) {
    if (pair.old.oid === pair.new.oid) continue;
    const isBinary = (await contents.isBinary(pair.old)) || (await contents.isBinary(pair.new));
    const [old, fresh] = [await contents.content(pair.old), await contents.content(pair.new)];
    contents.release(pair.old, pair.new);
    if (isBinary || old === null || fresh === null) continue;
    // A rewritten file counts as fully removed and added.
    const isRewritten = pair.status === "M" && pair.score > 0;
    const lines = isRewritten
      ? { added: lineCount(fresh), deleted: lineCount(old) }
      : countLines(diffText(old, fresh, options), options);
    added += lines.added;
    deleted += lines.deleted;
  }
  return statSummary(pairs.length, added, deleted) + pairs.map((pair) => summaryOf(pair, options)).join("");
}

function lineCount(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === 10) lines++;
  return bytes.length > 0 && bytes[bytes.length - 1] !== 10 ? lines + 1 : lines;
}
