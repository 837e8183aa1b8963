/** The table that a push prints: successful updates first, then rejected ones. */
import { ZERO_OID } from "../object/oid.ts";
import type { PushedRef } from "../porcelain/push/push.ts";
import { pushSummary } from "../porcelain/push/push-summary.ts";
import { prettyRefName } from "../refs/ref-name.ts";
import type { Repository } from "../repository.ts";

interface PushTableOptions {
  readonly verbose: boolean;
  readonly porcelain: boolean;
}

export async function pushTable(
  repo: Repository,
  url: string,
  refs: readonly PushedRef[],
  { verbose, porcelain }: PushTableOptions,
): Promise<string> {
  const isBad = ({ kind }: PushedRef) => kind === "rejected" || kind === "remote-rejected";
  const same = refs.filter(({ kind }) => kind === "same");
  const displayed = [
    ...(verbose || porcelain ? same : []),
    ...refs.filter((ref) => !isBad(ref) && ref.kind !== "same"),
    ...refs.filter(isBad),
  ];
  if (displayed.length === 0) return "";
  const abbreviate = (oid: PushedRef["to"]) => (oid === ZERO_OID ? Promise.resolve("") : repo.odb.abbreviate(oid));
  let digits = 7;
  for (const { from, to } of displayed)
    digits = Math.max(digits, (await abbreviate(from)).length, (await abbreviate(to)).length);
  let text = `To ${url}\n`;
  for (const ref of displayed) {
    const { flag, summary, note } = await pushSummary(ref, abbreviate);
    if (porcelain) {
      const source = ref.source ?? (ref.kind === "rejected" ? "(delete)" : "");
      text += `${flag}\t${source}:${ref.target}\t${summary}${note === "" ? "" : ` (${note})`}\n`;
      continue;
    }
    const names =
      ref.source === null && ref.kind !== "rejected"
        ? prettyRefName(ref.target)
        : `${ref.source === null ? "(delete)" : prettyRefName(ref.source)} -> ${prettyRefName(ref.target)}`;
    text += ` ${flag} ${summary.padEnd(2 * digits + 3)} ${names}${note === "" ? "" : ` (${note})`}\n`;
  }
  return text;
}
