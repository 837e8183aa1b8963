/** `git shortlog`: summarizes the named commits, or a log on standard input. */

import { GitError } from "../../errors.ts";
import { commitSubject } from "../../message/commit-message.ts";
import { loadMailmap, parseMailmap } from "../../message/mailmap.ts";
import type { Signature } from "../../object/signature.ts";
import { Shortlog, type ShortlogGroup } from "../../porcelain/log/shortlog.ts";
import { expandFormat } from "../../pretty/expand-format.ts";
import { prettyPrint } from "../../pretty/pretty-print.ts";
import { wrapText } from "../../pretty/wrap-text.ts";
import type { Repository } from "../../repository.ts";
import { reencode, UTF8 } from "../../text/encodings.ts";
import { decorationFlags, prettyFlags, readPresentation } from "../flags/pretty-flags.ts";
import { revisionFlags } from "../flags/revision-flag-table.ts";
import { missingRevisionValue, type Revisions, readRevisions } from "../flags/revision-flags.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import type { ParsedFlags } from "../framework/flag-table.ts";
import { usageText } from "../framework/usage-text.ts";
import { walkLog } from "./log/log-walk.ts";

const usage = [
  "git shortlog [<options>] [<revision-range>] [[--] <path>...]",
  "git log --pretty=short | git shortlog [<options>]",
];

const flags = {
  byCommitter: { long: "--committer", short: "-c", help: "group by committer rather than author" },
  numbered: {
    long: "--numbered",
    short: "-n",

    help: "sort output according to the number of commits per author",
  },
  summary: {
    long: "--summary",
    short: "-s",

    help: "suppress commit descriptions, only provides commit count",
  },
  email: { long: "--email", short: "-e", help: "show the email address of each author" },
  wrap: { short: "-w", value: "optional", arg: "<w>[,<i1>[,<i2>]]", help: "linewrap output" },
  group: { long: "--group", value: "list", arg: "<field>", help: "group by field" },
} as const;

const { maxCount: _, committer: __, ...shared } = revisionFlags;
const allFlags = {
  ...flags,
  ...decorationFlags,
  ...prettyFlags,
  ...shared,
  maxCount: { ...revisionFlags.maxCount, short: undefined },
} as const;

type ShortlogArgs = ParsedFlags<typeof allFlags>;

export const shortlog = defineCommand({
  name: "shortlog",
  usage,
  flags: allFlags,
  noAbbrev: true,
  unknownOption: (option): GitError =>
    new GitError("EUSAGE", `unknown option \`${option}'`, { hint: usageText({ usage, flags }) }),
  missingValue: missingRevisionValue,
  async run(context, parsed) {
    const repo = await repositoryIfAny(context);
    const mailmap = repo === null ? parseMailmap([]) : await loadMailmap(repo);
    const log = new Shortlog({ email: parsed.flags.email === true, mailmap });
    const groups = groupsOf(parsed);
    const fallback = context.stdin.isGiven ? null : "HEAD";
    const revisions = repo === null ? null : await readRevisions(context, repo, parsed as never, { fallback });
    if (repo === null || !revisions?.arguments.input) await readStdin(context, log, groups);
    else await addCommits(repo, revisions, parsed, log, groups);
    print(context, log, parsed);
    return 0;
  },
});

async function repositoryIfAny(context: CommandContext): Promise<Repository | null> {
  return context.repository().catch((error) => {
    if (error instanceof GitError && error.code === "ENOREPO" && context.stdin.isGiven) return null;
    throw error;
  });
}

function groupsOf({ order }: ShortlogArgs): ShortlogGroup[] {
  const groups: ShortlogGroup[] = [];
  for (const { name, value } of order) {
    if (name === "byCommitter" && value) groups.push({ by: "committer" });
    else if (name === "group" && value === false) groups.length = 0;
    else if (name === "group") groups.push(groupNamed(String(value)));
  }
  return groups.length === 0 ? [{ by: "author" }] : groups;
}

function groupNamed(field: string): ShortlogGroup {
  if (field === "author" || field === "committer") return { by: field };
  if (field.startsWith("trailer:")) return { by: "trailer", key: field.slice(8) };
  if (field.startsWith("format:")) return { by: "format", template: field.slice(7) };
  if (field.includes("%")) return { by: "format", template: field };
  throw new GitError("EUSAGE", `unknown group type: ${field}`);
}

async function addCommits(
  repo: Repository,
  revisions: Revisions,
  parsed: ShortlogArgs,
  log: Shortlog,
  groups: readonly ShortlogGroup[],
): Promise<void> {
  const { context: pretty } = await readPresentation(repo, parsed);
  const options = {
    graph: false,
    leftRight: false,
    cherryMark: false,
    showParents: false,
    showChildren: false,
    fullDiff: false,
    source: false,
    // As for a user-defined format.
    pretty: {},
  };
  const displayed = (text: string) => reencode(text, UTF8, pretty.encoding ?? UTF8) ?? text;
  for await (const commit of walkLog(repo, revisions, options)) {
    const text =
      pretty.format.kind === "user"
        ? await prettyPrint(pretty, commit)
        : displayed(commitSubject(commit.commit.message));
    const expanded: string[] = [];
    for (const group of groups) {
      if (group.by === "format") expanded.push(displayed(await expandFormat(pretty, commit, group.template)));
    }
    const { author, committer, message } = commit.commit;
    const person = (who: Signature) => ({ ...who, name: displayed(who.name), email: displayed(who.email) });
    const reported = {
      ...commit.commit,
      author: person(author),
      committer: person(committer),
      message: displayed(message),
    };
    log.addCommit(reported, text, groups, expanded);
  }
}

/** Uses two lines of each commit: the author or committer, and the first line after the headers. */
async function readStdin(context: CommandContext, log: Shortlog, groups: readonly ShortlogGroup[]): Promise<void> {
  const [group] = groups;
  if (groups.length > 1) throw new GitError("EINVAL", "using multiple --group options with stdin is not supported");
  if (group?.by === "trailer") throw new GitError("EINVAL", "using --group=trailer with stdin is not supported");
  if (group?.by === "format") throw new GitError("EINVAL", "using --group=format with stdin is not supported");
  const marks = group?.by === "committer" ? ["Commit: ", "committer "] : ["Author: ", "author "];
  /** The person whose subject line is still to come. */
  let who: string | null = null;
  let inHeaders = true;
  const take = (subject: string) => {
    if (who !== null && /^[^<]*<[^>]*>/.test(who)) log.addLine(who, subject);
    who = null;
  };
  for await (const line of context.stdin.textLines()) {
    const mark = marks.find((one) => line.startsWith(one));
    if (who === null && mark !== undefined) {
      who = line.slice(mark.length);
      inHeaders = true;
    } else if (line === "") inHeaders = false;
    else if (!inHeaders) take(line);
  }
  take("");
}

function print(context: CommandContext, log: Shortlog, { flags: input }: ShortlogArgs): void {
  const wrap = wrapOf(input.wrap);
  for (const { name, subjects } of log.entries(input.numbered === true)) {
    if (input.summary) {
      context.out(`${String(subjects.length).padStart(6)}\t${name}\n`);
      continue;
    }
    context.out(`${name} (${subjects.length}):\n`);
    for (const subject of subjects.toReversed()) {
      context.out(wrap === null ? `      ${subject}\n` : `${wrapText(subject, wrap[0], wrap[1], wrap[2])}\n`);
    }
    context.out("\n");
  }
}

function wrapOf(value: string | boolean | undefined): readonly [number, number, number] | null {
  if (value === undefined || value === false) return null;
  const match = /^(\d*)(?:,(\d*)(?:,(\d*))?)?$/.exec(value === true ? "" : value);
  if (match === null) throw new GitError("EUSAGE", "-w[<w>[,<i1>[,<i2>]]]");
  const [, width, first, rest] = match;
  const number = (text: string | undefined, fallback: number) => (text ? Number(text) : fallback);
  return [number(width, 76), number(first, 6), number(rest, 9)];
}
