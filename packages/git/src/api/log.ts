/** `git.log()`: commits as data. */
import { GitError } from "../errors.ts";
import type { Oid } from "../object/oid.ts";
import type { Signature } from "../object/signature.ts";
import { type CallOptions, type Engine, flag, option, paths, records } from "./engine.ts";

export interface LogOptions extends CallOptions {
  /** Revisions and ranges: "main", "v1..HEAD", "^old"; default HEAD. */
  readonly revisions?: readonly string[];
  readonly paths?: readonly string[];
  readonly all?: boolean;
  readonly maxCount?: number;
  readonly skip?: number;
  /** Dates as git accepts them: "2 days ago", "2024-01-31". */
  readonly since?: string;
  readonly until?: string;
  /** Basic regular expressions. */
  readonly author?: string;
  readonly grep?: string;
  readonly firstParent?: boolean;
  readonly noMerges?: boolean;
  readonly reverse?: boolean;
  /** History of one file across renames. */
  readonly follow?: boolean;
}

export interface LogEntry {
  readonly oid: Oid;
  readonly tree: Oid;
  readonly parents: readonly Oid[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly subject: string;
  readonly message: string;
  /** "HEAD -> main", "tag: v1". */
  readonly refs: readonly string[];
}

const FIELDS = ["%H", "%T", "%P", "%an", "%ae", "%ad", "%cn", "%ce", "%cd", "%D", "%s", "%B"];

/** Empty if there is no commit yet. */
export async function log(engine: Engine, options: LogOptions = {}): Promise<LogEntry[]> {
  const { revisions = [] } = options;
  for (const revision of revisions) refuseOption(revision);
  const { text } = await engine.run([
    "log",
    "-z",
    "--date=raw",
    `--format=${FIELDS.join("%x00")}`,
    flag("--all", options.all),
    option("--max-count", options.maxCount),
    option("--skip", options.skip),
    option("--since", options.since),
    option("--until", options.until),
    option("--author", options.author),
    option("--grep", options.grep),
    flag("--first-parent", options.firstParent),
    flag("--no-merges", options.noMerges),
    flag("--reverse", options.reverse),
    flag("--follow", options.follow),
    ...revisions,
    ...(options.paths ? paths(options.paths) : ["--"]),
  ]);
  const fields = records(text);
  const entries: LogEntry[] = [];
  for (let at = 0; at + FIELDS.length <= fields.length; at += FIELDS.length) {
    entries.push(parseLogEntry(fields.slice(at, at + FIELDS.length)));
  }
  return entries;
}

/** A revision that begins with a dash would be taken for an option. */
export function refuseOption(revision: string): void {
  if (revision.startsWith("-")) throw new GitError("EINVAL", `bad revision '${revision}'`);
}

function parseLogEntry(fields: readonly string[]): LogEntry {
  const [oid, tree, parents, an, ae, ad, cn, ce, cd, refs, subject, message] = fields as string[];
  return {
    oid: oid as Oid,
    tree: tree as Oid,
    parents: (parents === "" ? [] : (parents as string).split(" ")) as Oid[],
    author: who(an, ae, ad),
    committer: who(cn, ce, cd),
    refs: refs === "" ? [] : (refs as string).split(", "),
    subject: subject as string,
    message: message as string,
  };
}

function who(name = "", email = "", date = ""): Signature {
  const [seconds = "0", zone = "+0000"] = date.split(" ");
  return { name, email, seconds: Number(seconds), zone };
}
