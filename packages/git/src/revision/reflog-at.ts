/** `ref@{3}` and `ref@{yesterday}`: an earlier value of a ref, from its reflog. */
import { approxidate } from "../date/approxidate.ts";
import { formatDate } from "../date/format-date.ts";
import { localTime, zoneMinutes } from "../date/local-time.ts";
import { GitError } from "../errors.ts";
import { type Oid, ZERO_OID } from "../object/oid.ts";
import type { Repository } from "../repository.ts";

type LogRepository = Pick<Repository, "refs" | "warn" | "host" | "env">;

/** `displayed` is the name as typed. Null: the text in braces is invalid. */
export async function reflogAt(
  repo: LogRepository,
  ref: { name: string; oid: Oid },
  when: string,
  displayed: string,
): Promise<Oid | null> {
  const entries = await repo.refs.reflog(ref.name);
  const number = /^\d+$/.test(when) ? Number(when) : null;
  if (number !== null && number < 100_000_000) {
    if (number === 0 && entries.length === 0) return ref.oid;
    const entry = entries[entries.length - 1 - number];
    if (entry) return entry.to;
    // The entry before the first is the value that the first replaced.
    if (number === entries.length && entries[0] && entries[0].from !== ZERO_OID) return entries[0].from;
    if (entries.length === 0) throw new GitError("ENOTFOUND", `log for ${ref.name} is empty`);
    throw new GitError("ENOTFOUND", `log for '${displayed}' only has ${entries.length} entries`);
  }
  const time = localTime(repo.host, repo.env);
  let seconds = number;
  if (seconds === null) {
    const date = approxidate(when, time);
    if (!date.understood) return null;
    seconds = date.seconds;
  }
  if (entries.length === 0) throw new GitError("ENOTFOUND", `log for ${ref.name} is empty`);
  const print = (at: (typeof entries)[number]) =>
    formatDate(at.who.seconds, zoneMinutes(at.who.zone), { kind: "rfc2822" }, time);
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i] as (typeof entries)[number];
    if (entry.who.seconds > seconds) continue;
    const later = entries[i + 1];
    if (later !== undefined && later.from !== entry.to)
      repo.warn?.(`log for ref ${ref.name} has gap after ${print(entry)}`);
    if (later !== undefined || entry.who.seconds === seconds || entry.to === ref.oid) return entry.to;
    repo.warn?.(`log for ref ${ref.name} unexpectedly ended on ${print(entry)}`);
    return ref.oid;
  }
  const oldest = entries[0] as (typeof entries)[number];
  repo.warn?.(`log for '${displayed}' only goes back to ${print(oldest)}`);
  return oldest.from === ZERO_OID ? oldest.to : oldest.from;
}
