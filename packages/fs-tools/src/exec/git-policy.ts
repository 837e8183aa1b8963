/**
 * git under the tools' rules: nothing outside the root is named, and what is denied can neither be shown nor checked out by name, from
 * any commit. While there are deny-globs, only commands are available whose output can be told apart by file, and that do not bring a
 * content under another name (git apply, mv, clone, update-index and their kind would).
 */
import { ToolError } from "../errors.ts";
import { fold, type ToolPaths } from "../files/tool-paths.ts";

/** Options before the command that point git elsewhere, or make it run something. */
const GLOBAL_REFUSED = /^(-C|-c|--bare|--git-dir|--work-tree|--exec-path|--namespace|--super-prefix|--config-env)(=|$)/;
const AVAILABLE_WITH_DENIALS = new Set(
  (
    "add blame annotate branch check-attr check-ignore checkout cherry-pick clean commit config count-objects describe diff fetch " +
    "for-each-ref gc help init log ls-files ls-remote ls-tree merge merge-base name-rev pull push rebase reflog remote reset restore " +
    "rev-list rev-parse revert rm shortlog show show-ref stash status switch symbolic-ref tag version whatchanged"
  ).split(" "),
);
/** With every other that is the engine's own, and so no alias. */
export const GIT_COMMANDS: ReadonlySet<string> = new Set([
  ...AVAILABLE_WITH_DENIALS,
  ...(
    "apply cat-file check-mailmap check-ref-format clone commit-tree diff-files diff-index diff-tree fsck grep hash-object index-pack " +
    "merge-file mv pack-objects pack-refs prune prune-packed read-tree repack stripspace unpack-objects update-index update-ref " +
    "update-server-info var verify-pack write-tree"
  ).split(" "),
]);
/** Write a diff past the filter, or spell headers and names so that the filter would not know them; shortened as git allows. */
const HIDES_HEADERS = /^--(out|line-p|src-p|dst-p|ext-d|gra|rel[a-z]*=)/;
/** The names in their lists, in words of the caller's own. */
const HIDES_NAMES = /^--fo/;
const READ_ONLY = new Set([
  "status",
  "log",
  "diff",
  "show",
  "rev-parse",
  "ls-files",
  "ls-tree",
  "blame",
  "branch",
  "tag",
  "remote",
  "describe",
  "shortlog",
  "reflog",
  "cat-file",
  "grep",
  "rev-list",
  "show-ref",
  "for-each-ref",
  "merge-base",
  "version",
  "help",
  "config",
]);

export function gitCommand(argv: readonly string[]): string {
  return argv.find((word) => !word.startsWith("-")) ?? "";
}

/** Whether a command leaves files and refs alone, as far as its name says. */
export function gitIsReadOnly(argv: readonly string[]): boolean {
  const command = gitCommand(argv);
  if (!READ_ONLY.has(command)) return false;
  const rest = argv.slice(argv.indexOf(command) + 1);
  const listsOnly =
    rest.every((word) => word.startsWith("-")) &&
    !rest.some((word) => /^-(d|D|m|M|c|C|f)|^--(delete|move|copy|force|set|unset|edit|add)/.test(word));
  return (
    !["branch", "tag", "remote", "reflog"].includes(command) ||
    listsOnly ||
    (command === "reflog" && (rest[0] ?? "show") === "show") ||
    (command === "remote" && rest[0] === "show")
  );
}

export function checkGit(argv: readonly string[], cwd: string, paths: ToolPaths): void {
  const at = argv.findIndex((word) => !word.startsWith("-"));
  const refused = argv.slice(0, at < 0 ? argv.length : at).find((word) => GLOBAL_REFUSED.test(word));
  if (refused !== undefined)
    throw new ToolError("COMMAND_REFUSED", `git ${refused} is not available here; use cwd.`, { field: "argv" });
  const command = gitCommand(argv);
  const denies = paths.rules.hasDenials;
  for (const word of argv.slice(at + 1)) for (const path of pathsIn(word)) checkPath(path, cwd, paths, denies);
  if (!denies) return;
  if (!AVAILABLE_WITH_DENIALS.has(command))
    throw new ToolError(
      "COMMAND_REFUSED",
      `git ${command} is not available here, since some files are off limits. Use the read, grep, move, copy and apply_patch tools, or git show and git diff.`,
    );
  const lists = command.startsWith("ls-") || command === "status";
  const hiding = argv.slice(at + 1).find((word) => HIDES_HEADERS.test(word) || (lists && HIDES_NAMES.test(word)));
  if (hiding !== undefined)
    throw new ToolError(
      "COMMAND_REFUSED",
      `git ${command} ${hiding} is not available here, since some files are off limits.`,
      {
        field: "argv",
      },
    );
}

/** What in an argument may be a path: the argument, the value of an option, and what stands after a revision. */
function pathsIn(word: string): string[] {
  return valuesOf(word).flatMap((text) => {
    if (/^file:\/\//i.test(text)) return [decoded(text.slice("file://".length))];
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [];
    const magic = /^:(?:\([^)]*\)|[/!^]+)?(.*)$/.exec(text);
    const found = [text, ...(magic === null ? [] : [magic[1] as string])];
    // A revision may hold colons of its own, as in HEAD@{12:00}:path, and a stage stands between two of them.
    for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) found.push(text.slice(at + 1));
    return found;
  });
}

/** As git reads the path of a URL. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** An argument, or what an option carries: `--file=path`, `-Fpath`. */
export function valuesOf(word: string): string[] {
  if (!word.startsWith("-")) return [word];
  const value = word.indexOf("=") < 0 ? [] : [word.slice(word.indexOf("=") + 1)];
  return word.startsWith("--") ? value : [...value, word.slice(2)];
}

function checkPath(text: string, cwd: string, paths: ToolPaths, denies: boolean): void {
  if (text === "" || text.length > 4096) return;
  const absolute = fold(text.startsWith("/") ? text : `${cwd}/${text}`);
  const climbs = text.startsWith("/") || text.split("/").includes("..");
  // A range such as a..b is no path; one that climbs out is.
  if (climbs && paths.isHidden(absolute) && !paths.rules.denies(paths.relative(absolute)))
    throw new ToolError("OUTSIDE_ROOT", `${JSON.stringify(text.slice(0, 200))} is outside ${paths.root}.`, {
      field: "argv",
    });
  if (!denies) return;
  const relative = paths.relative(absolute);
  // After a revision a path counts from the top of the repository, which may be above `cwd`.
  const fromTop = fold(`/${text}`).slice(1);
  if (paths.rules.denies(relative) || paths.rules.denies(fromTop))
    throw new ToolError("DENIED", `${JSON.stringify(text.slice(0, 200))} is off limits here, in every commit.`, {
      field: "argv",
    });
}

/** As git prints it in colours, which configuration may ask for. */
const HEADER = /^(?:\x1b\[[\d;]*m)*diff --(git|cc|combined) (.*)$/m;
export const NEXT_HEADER = /^(?=(?:\x1b\[[\d;]*m)*diff --(?:git|cc|combined) )/m;
const COLOURS = /\x1b\[[\d;]*m/g;

/** A diff without the files that are off limits, and with a line that says so. */
export function withoutDeniedFiles(output: string, cwd: string, paths: ToolPaths): string {
  if (!paths.rules.hasDenials || !HEADER.test(output)) return output;
  const parts = output.split(NEXT_HEADER);
  return parts.map((part) => (isDeniedPart(part, cwd, paths) ? "[a file that is off limits here]\n" : part)).join("");
}

function isDeniedPart(part: string, cwd: string, paths: ToolPaths): boolean {
  const plain = part.replace(COLOURS, "");
  if (!plain.startsWith("diff --")) return false;
  const names = new Set<string>();
  const line = HEADER.exec(plain)?.[2] ?? "";
  for (const name of [line, ...line.split(" "), ...line.split(/ (?="|[^ /]*\/)/)]) names.add(name);
  for (const match of plain.matchAll(/^(?:--- |\+\+\+ |rename from |rename to |copy from |copy to )(.*)$/gm))
    names.add(match[1] as string);
  return [...names].some((name) => isDeniedName(unquoted(name), cwd, paths));
}

/** With whatever stands before it: `a/` and `b/`, or a prefix that configuration gave. */
function isDeniedName(name: string, cwd: string, paths: ToolPaths): boolean {
  for (let rest = name; ; rest = rest.slice(rest.indexOf("/") + 1)) {
    if (paths.rules.denies(rest) || paths.rules.denies(paths.relative(fold(`${cwd}/${rest}`)))) return true;
    if (!rest.includes("/")) return false;
  }
}

/** A name as git quotes it: bytes beyond ASCII are in octal. */
export function unquoted(name: string): string {
  if (!name.includes('"')) return name;
  const bytes: number[] = [];
  for (const [, octal, escaped, other] of name.replaceAll(/^"|"$/g, "").matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(ESCAPES[escaped ?? ""] ?? escaped ?? other ?? ""));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b", f: "\f", v: "\v" };
