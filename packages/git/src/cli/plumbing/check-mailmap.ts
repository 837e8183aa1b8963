/** `git check-mailmap`. */
import { GitError } from "../../errors.ts";
import { loadMailmap, type Mailmap } from "../../message/mailmap.ts";
import { defineCommand } from "../framework/command.ts";

export const checkMailmap = defineCommand({
  name: "check-mailmap",
  usage: ["git check-mailmap [<options>] <contact>..."],
  flags: {
    stdin: { long: "--stdin", help: "also read contacts from stdin" },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const contacts = [...args, ...(afterDashes ?? [])];
    if (contacts.length === 0 && !flags.stdin) throw new GitError("EINVAL", "no contacts specified");
    const mailmap = await loadMailmap(repo);
    for (const contact of contacts) context.out(mapped(mailmap, contact));
    if (flags.stdin) for await (const contact of context.stdin.textLines()) context.out(mapped(mailmap, contact));
    return 0;
  },
});

function mapped(mailmap: Mailmap, contact: string): string {
  const match = /^([^<]*)<([^>]*)>/.exec(contact);
  if (match === null) throw new GitError("EINVAL", `unable to parse contact: ${contact}`);
  const { name, email } = mailmap.map((match[1] as string).trim(), match[2] as string);
  return `${name === "" ? "" : `${name} `}<${email}>\n`;
}
