/** Groups commits by person as `git shortlog` does: names, counts and subjects. */

import { commitSubject } from "../../message/commit-message.ts";
import type { Mailmap } from "../../message/mailmap.ts";
import { parseTrailers } from "../../message/trailers.ts";
import type { Commit } from "../../object/commit.ts";
import { compareText } from "../../text/bytes.ts";

export type ShortlogGroup =
  | { readonly by: "author" | "committer" }
  | { readonly by: "trailer"; readonly key: string }
  | { readonly by: "format"; readonly template: string };

export interface ShortlogOptions {
  readonly email?: boolean;
  readonly mailmap: Mailmap;
}

export interface ShortlogEntry {
  readonly name: string;
  /** In input order, oldest last. */
  readonly subjects: readonly string[];
}

export class Shortlog {
  readonly #entries = new Map<string, string[]>();

  constructor(private readonly options: ShortlogOptions) {}

  add(name: string, subject: string): void {
    const subjects = this.#entries.get(name);
    if (subjects === undefined) this.#entries.set(name, [subject]);
    else subjects.push(subject);
  }

  /** Adds the commit once under each name from the groups; `expanded` are the names of format groups. */
  addCommit(commit: Commit, text: string, groups: readonly ShortlogGroup[], expanded: readonly string[] = []): void {
    const names = new Set<string>();
    for (const group of groups) {
      if (group.by === "author") names.add(this.person(commit.author));
      else if (group.by === "committer") names.add(this.person(commit.committer));
      else if (group.by === "trailer")
        for (const value of trailerValues(commit, group.key)) names.add(this.ident(value));
    }
    for (const name of expanded) names.add(name);
    for (const name of names) this.add(name, cleanSubject(text === "" ? "<none>" : text));
  }

  /** Adds a commit from a printed log: "Name <email>" and a subject. */
  addLine(who: string, subject: string): void {
    this.add(this.ident(who), cleanSubject(subject));
  }

  person(who: { name: string; email: string }): string {
    const { name, email } = this.options.mailmap.map(who.name, who.email);
    return this.options.email ? `${name} <${email}>` : name;
  }

  /** Text that is not a name with an address stays unchanged. */
  ident(text: string): string {
    const match = /^([^<]*)<([^>]*)>/.exec(text);
    if (match === null) return text;
    return this.person({ name: (match[1] as string).trim(), email: match[2] as string });
  }

  /** Sorted by name, or by count, highest first. */
  entries(numbered: boolean): ShortlogEntry[] {
    const entries = [...this.#entries].map(([name, subjects]) => ({ name, subjects }));
    entries.sort((a, b) => compareText(a.name, b.name));
    if (numbered) entries.sort((a, b) => b.subjects.length - a.subjects.length);
    return entries;
  }
}

function trailerValues({ message }: Commit, key: string): string[] {
  const { trailers } = parseTrailers(message, { divider: false });
  return trailers
    .filter((trailer) => trailer.key?.toLowerCase() === key.toLowerCase())
    .map(({ value }) => value.replace(/(?<!\s)\s*\n\s*/g, () => " "));
}

/** Removes a leading "[PATCH 1/2]". */
function cleanSubject(text: string): string {
  let line = text.trimStart();
  const bracket = line.startsWith("[PATCH") ? line.indexOf("]") : -1;
  const newline = line.indexOf("\n");
  if (bracket >= 0 && (newline < 0 || bracket < newline)) line = line.slice(bracket + 1);
  return commitSubject(line.replace(/^[ \t\r]+/, () => ""));
}
