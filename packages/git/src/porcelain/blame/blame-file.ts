/** `git blame` as data: the commit of each line of a file. */
import { lineBytes, splitLines } from "@workspace/text";
import { GitError } from "../../errors.ts";
import { type Oid, ZERO_OID } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { RevisionArguments } from "../../revision/revision-arguments.ts";
import { decode } from "../../text/bytes.ts";
import { pathInTree } from "../../text/relative-path.ts";
import { ancestorsOf } from "./ancestors.ts";
import { blame } from "./blame.ts";
import { describeBlame } from "./describe-blame.ts";
import { findBlameStart } from "./find-start.ts";
import { readIgnoredRevisions } from "./ignored-revisions.ts";

export interface BlameRequest {
  readonly path: string;
  /** Default the work tree. */
  readonly revision?: string;
  /** From 1, both included. */
  readonly lines?: { readonly first: number; readonly last: number };
}

export interface GitBlameLine {
  /** From 1. */
  readonly line: number;
  /** Zeros: not committed yet. */
  readonly oid: Oid;
  /** The file's name in that commit. */
  readonly path: string;
  readonly originalLine: number;
  readonly author: string;
  readonly email: string;
  /** The author's date, since 1970. */
  readonly seconds: number;
  readonly subject: string;
  /** The search ended at this commit: it may not be where the line is from. */
  readonly boundary: boolean;
  readonly text: string;
}

export async function blameFile(
  repo: Repository,
  cwd: string,
  { path: name, revision, lines }: BlameRequest,
): Promise<GitBlameLine[]> {
  const path = pathInTree(repo, name);
  if (path === null) throw new GitError("EINVAL", `'${name}' is outside repository at '${repo.workTree ?? cwd}'`);
  const revisions = new RevisionArguments(repo);
  if (revision !== undefined && !(await revisions.revision(revision)))
    throw new GitError("ENOTFOUND", `bad revision '${revision}'`);
  const { tips } = revisions;
  const start = await findBlameStart(
    repo,
    path.replace(/\/$/, () => ""),
    tips,
  );
  const excluded = await ancestorsOf(
    repo,
    tips.filter(({ uninteresting }) => uninteresting).map(({ oid }) => oid),
  );
  const { config } = repo;
  const range = [(lines?.first ?? 1) - 1, lines?.last ?? Number.POSITIVE_INFINITY] as const;
  const found = await blame(repo, start, {
    diff: {
      algorithm: "myers",
      whitespace: "none",
      indentHeuristic: config.getBool("diff.indentheuristic") ?? true,
    },
    moves: null,
    copies: null,
    copyEffort: 1,
    firstParent: false,
    root: config.getBool("blame.showroot") ?? false,
    isBoundary: ({ oid }) => excluded.has(oid),
    ranges: [limitedRange(path, range, splitLines(start.content).count)],
    ignored: await readIgnoredRevisions(repo, cwd, {}),
  });
  const displayed: GitBlameLine[] = [];
  for (const { commit, path: from, line, originLine, count } of await describeBlame(repo, start, found)) {
    const { author, boundary, summary } = commit;
    for (let i = 0; i < count; i++)
      displayed.push({
        line: line + i + 1,
        oid: commit.oid ?? ZERO_OID,
        path: from,
        originalLine: originLine + i + 1,
        author: author.name,
        email: author.mail.slice(1, -1),
        seconds: author.seconds,
        subject: summary,
        boundary,
        text: decode(lineBytes(found.final, line + i)).replace(/\n$/, () => ""),
      });
  }
  return displayed;
}

function limitedRange(path: string, [from, to]: readonly [number, number], count: number): [number, number] {
  if (from > 0 && from >= count)
    throw new GitError("EINVAL", `file ${path} has only ${count} line${count === 1 ? "" : "s"}`);
  return [Math.max(from, 0), Math.min(to, count)];
}
