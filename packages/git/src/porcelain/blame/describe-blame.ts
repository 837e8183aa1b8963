/** Turns origins into the data to print: authors through the mailmap, summaries, boundaries. */
import { localTime, zoneText } from "../../date/local-time.ts";
import { commitSubject } from "../../message/commit-message.ts";
import { loadMailmap, type Mailmap } from "../../message/mailmap.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import type { Signature } from "../../object/signature.ts";
import type { Repository } from "../../repository.ts";
import { logOutputEncoding } from "../../text/encodings.ts";
import type { Blame, BlameStart } from "./blame.ts";

export interface BlamedCommit {
  /** Null: not committed yet. */
  readonly oid: Oid | null;
  readonly author: BlamedPerson;
  readonly committer: BlamedPerson;
  readonly summary: string;
  readonly boundary: boolean;
}

export interface BlamedPerson {
  readonly name: string;
  /** With its angle brackets. */
  readonly mail: string;
  readonly seconds: number;
  readonly zone: string;
}

export interface BlameBlock {
  readonly commit: BlamedCommit;
  readonly path: string;
  readonly previous: { readonly oid: Oid; readonly path: string } | null;
  /** From 0, in the final text and in the origin. */
  readonly line: number;
  readonly originLine: number;
  readonly count: number;
  /** An ignored commit had changed them: guessed, or left with it. */
  readonly ignored: boolean;
  readonly unblamable: boolean;
}

export async function describeBlame(
  repo: Repository,
  start: BlameStart,
  { entries, boundaries }: Blame,
  requested?: string | false,
): Promise<BlameBlock[]> {
  const mailmap = await loadMailmap(repo);
  const encoding = logOutputEncoding(repo.config, requested);
  const known = new Map<Oid | null, BlamedCommit>();
  const blocks: BlameBlock[] = [];
  for (const { origin, line, originLine, count, ignored = false, unblamable = false } of entries) {
    let commit = known.get(origin.commit);
    if (!commit) {
      commit =
        origin.commit === null
          ? notCommitted(repo, start)
          : await readCommit(repo, origin.commit, boundaries.has(origin.commit), mailmap, encoding);
      known.set(origin.commit, commit);
    }
    const { previous, path } = origin;
    const before = previous?.commit ? { oid: previous.commit, path: previous.path } : null;
    blocks.push({ commit, path, previous: before, line, originLine, count, ignored, unblamable });
  }
  return blocks;
}

async function readCommit(
  repo: Repository,
  oid: Oid,
  boundary: boolean,
  mailmap: Mailmap,
  encoding: string,
): Promise<BlamedCommit> {
  const { author, committer, message } = parseCommit((await repo.odb.need(oid, "commit")).body, encoding);
  const person = (who: Signature) => {
    const { name, email } = mailmap.map(who.name, who.email);
    return { name, mail: `<${email}>`, seconds: who.seconds, zone: who.zone };
  };
  return {
    oid,
    author: person(author),
    committer: person(committer),
    summary: commitSubject(message) || `(${oid})`,
    boundary,
  };
}

function notCommitted(repo: Repository, { path }: BlameStart): BlamedCommit {
  const time = localTime(repo.host, repo.env);
  const seconds = time.now();
  const placeholder = {
    name: "Not Committed Yet",
    mail: "<not.committed.yet>",
    seconds,
    zone: zoneText(time.offset(seconds)),
  };
  return {
    oid: null,
    author: placeholder,
    committer: placeholder,
    summary: `Version of ${path} from ${path}`,
    boundary: false,
  };
}
