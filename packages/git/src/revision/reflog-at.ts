/** `ref@{3}` and `ref@{yesterday}`: what a ref was, by its reflog. */
import { approxidate } from "../date/approxidate.ts";
import { formatDate } from "../date/format-date.ts";
import { localTime, zoneMinutes } from "../date/local-time.ts";
import { GitError } from "../errors.ts";
import { type Oid, ZERO_OID } from "../oid.ts";
import type { Repository } from "../repository.ts";

type LogRepository = Pick<Repository, "refs" | "warn" | "host" | "env">;

/** `shown` is the name as typed. Null: the text in braces says nothing. */
export async function reflogAt(
  repo: LogRepository,
  ref: { name: string; oid: Oid },
  when: string,
  shown: string,
): Promise<Oid | null> {
  const entries = await repo.refs.reflog(ref.name);
  const number = /^\d+$/.test(when) ? Number(when) : null;
  if (number !== null && number < 100_000_000) {
    if (number === 0 && entries.length === 0) return ref.oid;
    const entry = entries[entries.length - 1 - number];
    if (entry) return entry.to;
    // One before the first is what the first replaced.
    if (number === entries.length && entries[0] && entries[0].from !== ZERO_OID) return entries[0].from;
    if (entries.length === 0) throw new GitError("ENOTFOUND", `log for ${ref.name} is empty`);
    throw new GitError("ENOTFOUND", `log for '${shown}' only has ${entries.length} entries`);
  }
  const time = localTime(repo.host, repo.env);
  let seconds = number;
  if (seconds === null) {
    const date = approxidate(when, time);
    if (!date.understood) return null;
    seconds = date.seconds;
  }
  if (entries.length === 0) throw new GitError("ENOTFOUND", `log for ${ref.name} is empty`);
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i] as (typeof entries)[number];
    if (entry.who.seconds > seconds) continue;
    return entry.to;
  }
  const oldest = entries[0] as (typeof entries)[number];
  const { seconds: at, zone } = oldest.who;
  const date = formatDate(at, zoneMinutes(zone), { kind: "rfc2822" }, time);
  repo.warn?.(`log for '${shown}' only goes back to ${date}`);
  return oldest.from === ZERO_OID ? oldest.to : oldest.from;
}
