/** The message of a new commit: from flags, files, another commit or a merge in progress, then sign-off, trailers and cleanup. */

import { GitError } from "../../errors.ts";
import { commitSubject, skipBlankLines } from "../../message/commit-message.ts";
import { stripSpace } from "../../message/strip-space.ts";
import { parseTrailers, type TrailerOptions } from "../../message/trailers.ts";
import type { Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { decode } from "../../text/bytes.ts";
import { commitToRewrite } from "./write-commit.ts";

export type Cleanup = "verbatim" | "whitespace" | "strip" | "scissors";

export interface MessageSource {
  /** All `-m`, joined. */
  message?: string;
  /** `-F`. */
  file?: Uint8Array;
  /** `-C`, or HEAD for `--amend`. */
  from?: Oid;
  fixup?: Oid;
  /** With `fixup`: the message replaces that of the other commit (`amend!`). */
  amends?: boolean;
  squash?: Oid;
  template?: string;
}

export async function commitMessage(repo: Repository, source: MessageSource): Promise<string> {
  const squash = await squashPrefix(repo, source);
  if (source.message !== undefined && source.fixup === undefined) return squash + source.message;
  if (source.file !== undefined) return squash + decode(source.file);
  if (source.from !== undefined) {
    const { message } = await commitToRewrite(repo, source.from);
    return squash + message.slice(skipBlankLines(message, 0));
  }
  if (source.fixup !== undefined && source.amends) {
    const { message } = await commitToRewrite(repo, source.fixup);
    const text = message.slice(skipBlankLines(message, 0));
    // An "amend!" of an "amend!" does not repeat the subject.
    const body = text.startsWith("amend! ") ? text.slice(text.indexOf("\n") + 1).replace(/^\n+/, () => "") : text;
    return `amend! ${commitSubject(message)}\n\n${body}`;
  }
  if (source.fixup !== undefined) return `fixup! ${await subject(repo, source.fixup)}\n\n${source.message ?? ""}`;
  const [merge, squashed] = await repo.fs.readMany([`${repo.gitDir}/MERGE_MSG`, `${repo.gitDir}/SQUASH_MSG`]);
  if (merge || squashed) return squash + (squashed ? decode(squashed) : "") + (merge ? decode(merge) : "");
  return squash + (source.template ?? "");
}

/** Does not repeat the subject before the same commit's own message (`-C`). */
async function squashPrefix(repo: Repository, { squash, from }: MessageSource): Promise<string> {
  if (squash === undefined) return "";
  return squash === from ? "squash! " : `squash! ${await subject(repo, squash)}\n\n`;
}

async function subject(repo: Repository, oid: Oid): Promise<string> {
  return commitSubject((await commitToRewrite(repo, oid)).message);
}

const SCISSORS = "------------------------ >8 ------------------------";

export function cleanMessage(text: string, cleanup: Cleanup, comment = "#"): string {
  if (cleanup === "verbatim") return text;
  if (cleanup !== "scissors") return stripSpace(text, cleanup === "strip" ? { comment } : {});
  const mark = `${comment} ${SCISSORS}\n`;
  const at = text.startsWith(mark) ? 0 : text.indexOf(`\n${mark}`) + 1;
  return stripSpace(at > 0 || text.startsWith(mark) ? text.slice(0, at) : text);
}

/** Text after a NUL would be stored but never shown. */
export function refuseNul(message: string, { exitCode = 1, hint }: { exitCode?: number; hint?: string } = {}): void {
  if (!message.includes("\0")) return;
  throw new GitError("EINVAL", "a NUL byte in commit log message not allowed.", { prefix: "error", exitCode, hint });
}

/** True if there are only blank lines and sign-offs. */
export function isEmptyMessage(text: string, cleanup: Cleanup): boolean {
  return !(cleanup === "verbatim" && text !== "") && restIsEmpty(text);
}

/** True for a template that was not edited; sign-offs do not count. */
export function isUntouched(text: string, template: string, cleanup: Cleanup): boolean {
  return cleanup !== "verbatim" && text.startsWith(template) && restIsEmpty(text.slice(template.length));
}

function restIsEmpty(text: string): boolean {
  return text.split("\n").every((line) => line.trim() === "" || line.startsWith("Signed-off-by: "));
}

/** Adds to the last paragraph if it consists of trailers, else adds one; never duplicates the last line. */
export function signOff(input: string, who: string, comment = "#", options: TrailerOptions = {}): string {
  const at = commentsAt(input, comment);
  return `${signed(input.slice(0, at), who, options)}${input.slice(at)}`;
}

/** Offset of the comments and the list of conflicts at the end of a message; its length if there are none. */
function commentsAt(text: string, comment: string): number {
  const lines = text.split("\n");
  let first = lines.length;
  let isComment = false;
  for (let i = first - 1, listed = false; i >= 0; i--) {
    const line = lines[i] as string;
    if (line.startsWith("\t")) listed = true;
    else if (line === "Conflicts:") listed = false;
    else if (line !== "" && !line.startsWith(comment)) break;
    if (line !== "") isComment = true;
    if (!listed) first = i;
  }
  return isComment ? lines.slice(0, first).reduce((length, line) => length + line.length + 1, 0) : text.length;
}

function signed(text: string, who: string, options: TrailerOptions): string {
  const line = `Signed-off-by: ${who}\n`;
  const body = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const { trailers, start } = parseTrailers(body, { ...options, divider: false });
  if (trailers.length === 0) return text === "" ? `\n${line}` : `${body}${body.endsWith("\n\n") ? "" : "\n"}${line}`;
  const block = body.slice(start).trimEnd();
  if (block.endsWith(line.trimEnd())) return text;
  return `${body.trimEnd()}\n${line}`;
}
