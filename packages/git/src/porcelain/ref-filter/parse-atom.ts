/** Parses a field of a format for refs: checks its name, and the options after its colon. */
import { GitError } from "../../errors.ts";
import type { Atom } from "./atom.ts";

export function parseAtom(source: string): Atom {
  const dereferenced = source.startsWith("*");
  const plain = dereferenced ? source.slice(1) : source;
  const colon = plain.indexOf(":");
  const name = colon < 0 ? plain : plain.slice(0, colon);
  const input = colon < 0 ? null : plain.slice(colon + 1);
  // An empty option counts as none, except for dates.
  const option = input === "" && !name.endsWith("date") ? null : input;
  if (plain === "") throw new GitError("EINVAL", `malformed field name: ${source}`);
  if (!KNOWN.has(name)) throw new GitError("EINVAL", `unknown field name: ${source}`);
  if (name === "rest") throw new GitError("EINVAL", `this command reject atom %(${source})`);
  checkOption(name, option, source);
  return { source, name, option, dereferenced };
}

export const PEOPLE = ["author", "committer", "tagger"];
const KNOWN = new Set([
  "refname",
  "objecttype",
  "objectsize",
  "objectname",
  "deltabase",
  "tree",
  "parent",
  "numparent",
  "object",
  "type",
  "tag",
  ...PEOPLE.flatMap((who) => [who, `${who}name`, `${who}email`, `${who}date`]),
  "creator",
  "creatordate",
  "subject",
  "body",
  "trailers",
  "contents",
  "raw",
  "upstream",
  "push",
  "symref",
  "flag",
  "HEAD",
  "color",
  "worktreepath",
  "align",
  "end",
  "if",
  "then",
  "else",
  "rest",
]);

const FREE = new Set([
  "refname",
  "symref",
  "upstream",
  "push",
  "objectname",
  "objectsize",
  "contents",
  "trailers",
  "subject",
  "raw",
  "color",
  "align",
  "if",
]);

/** Options of fields, unless they are a number or a name that is checked later. */
const OPTIONS: Readonly<Record<string, RegExp>> = {
  contents: /^(subject|body|signature|size|trailers(:.*)?|lines=.*)$/s,
  subject: /^sanitize$/,
  raw: /^size$/,
  objectsize: /^disk$/,
};
const BRANCH_OPTION = /^(short|track|trackshort|nobracket|remotename|remoteref|(l|r)?strip=.*)$/s;
const TRAILER_OPTION = /^(key|separator|key_value_separator|only|unfold|keyonly|valueonly)(=|$)/;

function checkOption(name: string, option: string | null, source: string): void {
  if (name === "color" && option === null) throw new GitError("EINVAL", "expected format: %(color:<color>)");
  if (option !== null && OPTIONS[name]?.test(option) === false)
    throw new GitError("EINVAL", `unrecognized %(${name}) argument: ${option}`);
  if (option !== null && (name === "upstream" || name === "push")) {
    const odd = option.split(",").find((part) => !BRANCH_OPTION.test(part));
    if (odd !== undefined) throw new GitError("EINVAL", `unrecognized %(${source}) argument: ${odd}`);
  }
  const trailing = name === "trailers" ? option : /^trailers:(.*)$/s.exec(option ?? "")?.[1];
  for (const part of trailing?.split(",") ?? []) {
    if (part === "key") throw new GitError("EINVAL", "expected %(trailers:key=<value>)");
    if (!TRAILER_OPTION.test(part)) throw new GitError("EINVAL", `unknown %(trailers) argument: ${part}`);
  }
  if (option === null || FREE.has(name) || name.endsWith("date") || name.endsWith("email")) return;
  if (name === "tree" || name === "parent" || name === "HEAD") return;
  throw new GitError("EINVAL", `%(${name}) does not take arguments`);
}
