/** Prints a commit in one of git's own layouts or the user's, without the line that names it. */

import { splitMessage } from "../message/commit-message.ts";
import { commitText } from "../object/commit.ts";
import type { Signature } from "../object/signature.ts";
import { reencode, UTF8 } from "../text/encodings.ts";
import { pointWidth } from "../text/text-width.ts";
import { emailFrom, emailSubject } from "./email-header.ts";
import { expandFormat } from "./expand-format.ts";
import type { PrettyCommit, PrettyContext } from "./pretty-context.ts";
import type { BuiltIn } from "./pretty-format.ts";

const INDENT = "    ";

export async function prettyPrint(context: PrettyContext, displayed: PrettyCommit): Promise<string> {
  const { format } = context;
  if (format.kind === "user") {
    const text = await expandFormat(context, displayed, format.template);
    return reencode(text, UTF8, context.encoding ?? UTF8) ?? text;
  }
  const { message } = displayed.commit;
  if (format.kind === "oneline") return splitMessage(message).title.join(" ");
  if (format.kind === "email" || format.kind === "mboxrd") return email(context, displayed, format.kind);
  const header =
    format.kind === "raw" ? await rawHeader(context, displayed) : await namesAndDates(context, displayed, format.kind);
  const body = messageLines(message, {
    indent: INDENT,
    tabs: context.expandTabs ?? format.expandTabs,
    firstParagraph: format.kind === "short",
  });
  return `${`${header}\n${body}`.trimEnd()}\n`;
}

async function rawHeader({ repo, encoding = UTF8 }: PrettyContext, { oid }: PrettyCommit): Promise<string> {
  const text = commitText((await repo.odb.need(oid, "commit")).body, encoding);
  const end = text.indexOf("\n\n");
  return end < 0 ? text : text.slice(0, end + 1);
}

async function namesAndDates(context: PrettyContext, displayed: PrettyCommit, kind: BuiltIn): Promise<string> {
  const { author, committer } = displayed.commit;
  const { repo, abbrev, date } = context;
  let text = "";
  if (displayed.parents.length > 1) {
    const names = await Promise.all(displayed.parents.map((parent) => repo.odb.abbreviate(parent, abbrev)));
    text += `Merge: ${names.join(" ")}\n`;
  }
  const wide = kind === "fuller" ? INDENT : "";
  text += `Author: ${wide}${person(context, author)}\n`;
  if (kind === "medium") text += `Date:   ${date(author)}\n`;
  if (kind === "fuller") text += `AuthorDate: ${date(author)}\n`;
  if (kind === "full" || kind === "fuller") text += `Commit: ${wide}${person(context, committer)}\n`;
  if (kind === "fuller") text += `CommitDate: ${date(committer)}\n`;
  return text;
}

function person({ mailmap }: PrettyContext, who: Signature): string {
  const { name, email: address } = mailmap?.map(who.name, who.email) ?? who;
  return `${name} <${address}>`;
}

function email(context: PrettyContext, { commit }: PrettyCommit, kind: "email" | "mboxrd"): string {
  const { author, message } = commit;
  const { name, email: address } = context.mailmap?.map(author.name, author.email) ?? author;
  const { title, body } = splitMessage(message);
  const prefix = context.subjectPrefix ?? "PATCH";
  const label = `Subject: ${prefix === "" ? "" : `[${prefix}] `}`;
  const encoding = context.encoding ?? UTF8;
  let text = emailFrom(name, address, encoding);
  text += `Date: ${context.date(author, "rfc2822")}\n`;
  text += `${label}${emailSubject(title.join(" "), label.length, encoding)}\n`;
  if (/[^\x00-\x7f]/.test(message)) {
    text += `MIME-Version: 1.0\nContent-Type: text/plain; charset=${encoding}\nContent-Transfer-Encoding: 8bit\n`;
  }
  text += "\n";
  const lines = messageLines(body, { indent: "", tabs: context.expandTabs ?? 0, mboxrd: kind === "mboxrd" });
  const whole = `${`${text}${lines}`.trimEnd()}\n`;
  return whole.length <= text.length ? `${whole}\n` : whole;
}

interface LineOptions {
  indent: string;
  tabs: number;
  firstParagraph?: boolean;
  mboxrd?: boolean;
}

/** Lines that are changed: leading blank ones, trailing spaces, tabs. */
const UNEVEN = /^\s|[ \t\v\f\r](?:\n|$)|\t/;

function messageLines(message: string, { indent, tabs, firstParagraph, mboxrd }: LineOptions): string {
  if (!firstParagraph && !mboxrd && message !== "" && !UNEVEN.test(message)) {
    const lines = message.endsWith("\n") ? message.slice(0, -1) : message;
    return `${indent}${lines.replaceAll("\n", `\n${indent}`)}\n`;
  }
  let out = "";
  let first = true;
  const lines = message.split("\n");
  if (lines.at(-1) === "") lines.pop();
  for (const whole of lines) {
    const blank = whole.trim() === "";
    if (blank && first) continue;
    if (blank && firstParagraph) break;

    const line = blank ? "" : whole.replace(/(?<![ \t\v\f\r])[ \t\v\f\r]+$/, () => "");
    first = false;
    const quoted = mboxrd && /^>*From /.test(line) ? `>${line}` : line;
    out += `${indent}${tabs > 0 ? expandTabs(quoted, tabs) : quoted}\n`;
  }
  return out;
}

function expandTabs(line: string, size: number): string {
  if (!line.includes("\t")) return line;
  let out = "";
  let column = 0;
  for (const letter of line) {
    if (letter === "\t") {
      const spaces = size - (column % size);
      out += " ".repeat(spaces);
      column += spaces;
    } else {
      out += letter;
      column += pointWidth(letter.codePointAt(0) as number);
    }
  }
  return out;
}
