/** The table that a fetch prints: one line per ref, under "From <address>". */

import { parseOid, ZERO_OID } from "../object/oid.ts";
import type { FetchUpdate } from "../porcelain/fetch/fetch.ts";
import { shortUrl } from "../porcelain/fetch/write-fetch-head.ts";
import { prettyRefName } from "../refs/ref-name.ts";
import type { Repository } from "../repository.ts";
import type { RemoteConfig } from "../wire/remote-config.ts";
import { anonymousUrl } from "../wire/remote-url.ts";

const MIN_COLUMN = 10;
const TERMINAL = 80;
/** Flag, summary, and the blanks around them. */
const BEFORE_NAMES = 21;

export async function fetchTable(
  repo: Repository,
  remote: RemoteConfig,
  updates: readonly FetchUpdate[],
  { verbose, dryRun }: { verbose: boolean; dryRun: boolean },
): Promise<string> {
  const displayed = updates.filter(({ kind }) => verbose || kind !== "same");
  if (displayed.length === 0) return "";
  const abbreviate = (oid: FetchUpdate["to"]) => (oid === ZERO_OID ? Promise.resolve("") : repo.odb.abbreviate(oid));
  let digits = 7;
  for (const { from, to } of displayed)
    digits = Math.max(digits, (await abbreviate(from)).length, (await abbreviate(to)).length);
  const column = columnWidth(displayed);
  let text = `From ${shortUrl(anonymousUrl(remote.url))}\n`;
  for (const update of displayed) {
    const { flag, summary, note } = await describe(update, abbreviate);
    const source = update.source === null ? "(none)" : prettyRefName(update.source);
    const target = update.target === null ? "FETCH_HEAD" : prettyRefName(update.target);
    text += ` ${flag} ${summary.padEnd(2 * digits + 3)} ${source.padEnd(column)} -> ${target}${note === "" ? "" : `  (${note})`}\n`;
    for (const name of update.dangling ?? []) text += `   (${name} ${dryRun ? "will" : "has"} become dangling)\n`;
  }
  return text;
}

/** As wide as the longest name that leaves room for the other column on a terminal. */
function columnWidth(updates: readonly FetchUpdate[]): number {
  let width = MIN_COLUMN;
  for (const { source, target, kind } of updates) {
    if (source === null || target === null || kind === "deleted") continue;
    const [left, right] = [prettyRefName(source).length, prettyRefName(target).length];
    if (BEFORE_NAMES + left + 4 + right < TERMINAL) width = Math.max(width, left);
  }
  return width;
}

async function describe(update: FetchUpdate, abbreviate: (oid: FetchUpdate["to"]) => Promise<string>) {
  const { kind, source, from, to, reason = "" } = update;
  const range = async (dots: string) => `${await abbreviate(from)}${dots}${await abbreviate(to)}`;
  switch (kind) {
    case "new":
      return {
        flag: "*",
        summary: source?.startsWith("refs/tags/")
          ? "[new tag]"
          : source?.startsWith("refs/heads/")
            ? "[new branch]"
            : "[new ref]",
        note: "",
      };
    case "fast-forward":
      return { flag: " ", summary: await range(".."), note: "" };
    case "forced":
      return { flag: "+", summary: await range("..."), note: "forced update" };
    case "tag":
      return { flag: "t", summary: "[tag update]", note: "" };
    case "deleted":
      return { flag: "-", summary: "[deleted]", note: "" };
    case "same":
      return { flag: "=", summary: "[up to date]", note: "" };
    case "rejected":
      return { flag: "!", summary: "[rejected]", note: reason };
    case "fetched":
      return {
        flag: "*",
        summary: source?.startsWith("refs/heads/")
          ? "branch"
          : source?.startsWith("refs/tags/")
            ? "tag"
            : source === "HEAD" || parseOid(source ?? "") !== null
              ? "branch"
              : "ref",
        note: "",
      };
    default:
      return kind satisfies never;
  }
}
