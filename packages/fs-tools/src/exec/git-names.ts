/**
 * What git prints, without the names of files that are off limits. git names files in many ways; where a command's lines are its own, a
 * line that holds such a name anywhere goes; where they may be a file's or a message's, one that has the form of a list of names.
 */
import { fold, isInside, type ToolPaths } from "../files/tool-paths.ts";
import { NEXT_HEADER, unquoted } from "./git-policy.ts";

/** Commands that print messages, contents or names of refs: a word in them is not a file's name. */
const PRINT_TEXT = new Set(
  (
    "blame annotate branch config count-objects describe diff for-each-ref gc help log ls-remote merge-base name-rev reflog remote " +
    "rev-list rev-parse shortlog show show-ref symbolic-ref tag version whatchanged"
  ).split(" "),
);
/** Lines of other commands that end in a message, or in the name of a branch. */
const ENDS_IN_TEXT =
  /^(?:\[.*?\] |HEAD is now at |Previous HEAD position was |Saved working |stash@|On branch |Your branch |(?:Switched|Reset) )/;
const COLOURS = /\x1b\[[\d;]*m/g;

export interface Printed {
  readonly command: string;
  readonly cwd: string;
  readonly paths: ToolPaths;
}

export function withoutDeniedNames(output: string, printed: Printed): string {
  const isText = PRINT_TEXT.has(printed.command);
  const parts = output.split(NEXT_HEADER);
  return parts
    .map((part, i) => withoutLines(part, (line) => (isText || i > 0 ? listedNames(line) : allNames(line)), printed))
    .join("");
}

/** What git says about its work. */
export function withoutNamesInErrors(output: string, printed: Printed): string {
  return withoutLines(output, allNames, printed);
}

function withoutLines(text: string, namesIn: (line: string) => string[], printed: Printed): string {
  const lines = text.split("\n");
  return lines.filter((line) => !namesIn(line.replace(COLOURS, "")).some((name) => isDenied(name, printed))).join("\n");
}

/** Names of files in a line that has the form of a list of them. */
function listedNames(line: string): string[] {
  for (const form of LISTS) {
    const name = form.exec(line)?.[1];
    if (name !== undefined) return [line, ...name.split("\t").flatMap(renamed)];
  }
  return [line];
}

const LISTS: readonly RegExp[] = [
  // --name-status, --raw, --numstat, --stat, --dirstat and --summary
  /^[A-Z]{1,8}\d*\t(.+)$/,
  /^:+[0-7]{6} .*?\t(.+)$/,
  /^(?:\d+|-)\t(?:\d+|-)\t(.+)$/,
  /^ (.+?) +\| +(?:Bin|Unmerged|\d)/,
  /^ +\d+\.\d% (.+)$/,
  /^ (?:create|delete) mode [0-7]{6} (.+)$/,
  /^ (?:rename|copy) (.+) \(\d+%\)$/,
  /^ mode change [0-7]{6} => [0-7]{6} (.+)$/,
  // rev-list --objects
  /^[0-9a-f]{40,64} (.+)$/,
  // blame, with names, and in its two forms for programs
  /^[\^0-9a-f]{7,} +(?!\()(.+?) +\(/,
  /^(?:filename|previous [0-9a-f]+) (.+)$/,
];

/** Both names of `a => b` and of `dir/{a => b}/file`. */
function renamed(name: string): string[] {
  const [, before, from, to, after] = /^(.*?)\{(.*?) => (.*?)\}(.*)$/.exec(name) ?? [];
  if (before !== undefined) return [`${before}${from}${after}`, `${before}${to}${after}`];
  return name.split(" => ");
}

/** Whatever in a line may be a name: its words, and what follows one to the end, since names may hold spaces. */
function allNames(line: string): string[] {
  if (ENDS_IN_TEXT.test(line)) return listedNames(line);
  const names = listedNames(line);
  for (const part of line.split("\t"))
    for (const { index, 0: word } of part.matchAll(/\S+/g)) {
      const rest = part.slice(index);
      names.push(word);
      if (part.length <= MAX_NAME) names.push(rest, ...rest.split(/ -> | => /));
    }
  return names.flatMap((name) => [name, name.replace(/^['"(]+|['")\]:;,.!?]+$/g, "")]);
}

/** A path of 4096 bytes, each in octal. */
const MAX_NAME = 16_500;

function isDenied(given: string, { cwd, paths }: Printed): boolean {
  const name = unquoted(given);
  // --stat leaves the beginning of a long name out; what it was cannot be told.
  if (/^\.{3}\S/.test(name)) return true;
  // git counts from where it stands or from the top of its files, which lies there or above.
  for (let base = cwd; ; base = base.slice(0, base.lastIndexOf("/"))) {
    const place = fold(`${base}/${name}`);
    if (isInside(place, paths.root) && paths.rules.denies(paths.relative(place))) return true;
    if (base.length <= paths.root.length || base === "") return false;
  }
}
