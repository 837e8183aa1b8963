/** The default message of a merge: "Merge branch 'topic' into x", the message of a tag, and with `--log` the merged commits. */
import { commitSubject } from "../../message/commit-message.ts";
import { parseCommit } from "../../object/commit.ts";
import type { Oid } from "../../object/oid.ts";
import { parseTag } from "../../object/tag.ts";
import type { Repository } from "../../repository.ts";
import { interpretBranchName } from "../../revision/branch-mark.ts";
import { expandRef } from "../../revision/expand-ref.ts";
import { walk } from "../../revision/walk.ts";
import { wildmatch } from "../../text/wildmatch.ts";
import { currentBranch } from "../branch/branch-names.ts";

export interface MergeHead {
  /** A commit. */
  readonly oid: Oid;
  /** As typed. */
  readonly name: string;
  /** Set if an annotated tag was named. */
  readonly tag?: Oid;
  /** Heading of the list of its commits, if it differs from the name. */
  readonly label?: string;
}

export interface MergeMessageOptions {
  /** Number of commits to list per head; 0: none. */
  readonly log?: number;
  /** Replaces the branch's name. */
  readonly into?: string;
  /** HEAD before the merge. */
  readonly head: Oid;
  /** A given message: only the log is added. */
  readonly input?: string;
}

type OriginKind = "branch" | "remote" | "tag" | "commit";

interface Origin {
  readonly kind: OriginKind;
  readonly name: string;
  readonly head: MergeHead;
}

/** Without a newline at the end. */
export async function mergeMessage(
  repo: Repository,
  heads: readonly MergeHead[],
  { log = 0, into, head, input }: MergeMessageOptions,
): Promise<string> {
  const origins: Origin[] = [];
  for (const one of heads) origins.push(await findOrigin(repo, one));
  let text = input === undefined ? `${mergeTitle(origins)}${await destination(repo, into)}\n` : `${input}\n`;
  if (input === undefined) for (const origin of origins) text += await tagText(repo, origin, origins.length);
  if (log > 0) for (const origin of origins) text += await shortlog(repo, origin, head, log);
  return text.slice(0, -1);
}

async function findOrigin(repo: Repository, head: MergeHead): Promise<Origin> {
  const typed = head.name.includes("@{")
    ? ((await interpretBranchName(repo, head.name).catch(() => null)) ?? head.name)
    : head.name;
  const found = /^[0-9a-f]{40}$/.test(typed) ? null : await expandRef({ ...repo, warn: undefined }, typed);
  if (found !== null) {
    for (const [prefix, kind] of [
      ["refs/heads/", "branch"],
      ["refs/tags/", "tag"],
      ["refs/remotes/", "remote"],
    ] as const) {
      if (!found.name.startsWith(prefix)) continue;
      return { kind, name: typed, head };
    }
  }
  const [, branch, early] = /^(.*?)(\^+|~\d+)$/.exec(typed) ?? [];
  if (branch !== undefined && early !== undefined && (await repo.refs.read(`refs/heads/${branch}`)) !== null) {
    return { kind: "branch", name: /^~0*$/.test(early) ? branch : `${branch}' (early part)`, head };
  }
  if (head.tag !== undefined) return { kind: "tag", name: head.name, head };
  return { kind: "commit", name: head.name, head };
}

const WORDS: Readonly<Record<OriginKind, readonly [one: string, many: string]>> = {
  branch: ["branch ", "branches "],
  remote: ["remote-tracking branch ", "remote-tracking branches "],
  tag: ["tag ", "tags "],
  commit: ["commit ", "commits "],
};

function mergeTitle(origins: readonly Origin[]): string {
  const parts: string[] = [];
  for (const kind of ["branch", "remote", "tag", "commit"] as const) {
    const names = origins.filter((origin) => origin.kind === kind).map(({ name }) => quoted(name));
    if (names.length === 0) continue;
    const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
    parts.push(`${WORDS[kind][names.length === 1 ? 0 : 1]}${list}`);
  }
  return `Merge ${parts.join(", ")}`;
}

/** "topic' (early part)" already has its quote. */
function quoted(name: string): string {
  return name.includes("'") ? `'${name}` : `'${name}'`;
}

async function destination(repo: Repository, into: string | undefined): Promise<string> {
  const branch = into ?? (await currentBranch(repo)) ?? "HEAD";
  const name = branch.replace(/^refs\/heads\//, () => "");
  const configured = repo.config.getAll("merge.suppressdest");
  const patterns = configured.length > 0 ? configured : ["main", "master"];
  const last = patterns.lastIndexOf("");
  return patterns.slice(last + 1).some((pattern) => wildmatch(pattern, name)) ? "" : ` into ${name}`;
}

async function tagText(repo: Repository, { kind, head, name }: Origin, count: number): Promise<string> {
  if (kind !== "tag" || head.tag === undefined) return "";
  return taggedText(repo, head.tag, count === 1 ? null : name);
}

/** The tag's message after the title; with several heads under the name of each. */
export async function taggedText(repo: Repository, tag: Oid, name: string | null): Promise<string> {
  const { message } = parseTag((await repo.odb.need(tag, "tag")).body);
  const text = message === "" || message.endsWith("\n") ? message : `${message}\n`;
  return name === null ? `\n${text}` : `\n# ${name}\n${text}`;
}

async function shortlog(repo: Repository, { name, kind, head }: Origin, into: Oid, limit: number): Promise<string> {
  const subjects: string[] = [];
  const tips = [{ oid: head.oid }, { oid: into, uninteresting: true }];
  for await (const { oid } of walk(repo, { tips, maxParents: 1 })) {
    const { message } = parseCommit((await repo.odb.need(oid, "commit")).body);
    subjects.push(commitSubject(message) || oid);
  }
  if (subjects.length === 0) return "";
  const plain = kind === "branch" || kind === "remote" ? name.replace(/'.*/, () => "") : `${kind} '${name}'`;
  const displayed = head.label ?? plain;
  const more = subjects.length > limit;
  const lines = subjects.slice(0, limit).map((subject) => `  ${subject}\n`);
  return `\n* ${displayed}:${more ? ` (${subjects.length} commits)` : ""}\n${lines.join("")}${more ? "  ...\n" : ""}`;
}
