/**
 * git under the tools' rules: nothing outside the root is named, and what is denied can neither be shown nor checked out by name, from
 * any commit. Where a command prints contents that cannot be told apart by file, it is refused while there are deny-globs.
 */
import { ToolError } from "../errors.ts";
import { fold, type ToolPaths } from "../files/tool-paths.ts";

/** Options before the command that point git elsewhere, or make it run something. */
const GLOBAL_REFUSED = /^(-C|-c|--git-dir|--work-tree|--exec-path|--namespace|--super-prefix|--config-env)(=|$)/;
/** Print contents without saying of which file, or by object alone. */
const OPAQUE = new Set([
  "cat-file",
  "archive",
  "grep",
  "merge-file",
  "diff-files",
  "diff-index",
  "diff-tree",
  "fast-export",
  "bundle",
  "unpack-file",
  "hash-object",
  "blame",
  "annotate",
]);
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
  if (denies && OPAQUE.has(command) && !(command === "blame" || command === "annotate"))
    throw new ToolError(
      "COMMAND_REFUSED",
      `git ${command} is not available here, since some files are off limits. Use the read and grep tools, or git show and git diff.`,
    );
  for (const word of argv.slice(at + 1)) for (const path of pathsIn(word)) checkPath(path, cwd, paths, denies);
}

/** What in an argument may be a path: the argument, the value of an option, and what stands after a revision. */
function pathsIn(word: string): string[] {
  const value = word.startsWith("-") ? (word.includes("=") ? [word.slice(word.indexOf("=") + 1)] : []) : [word];
  return value.flatMap((text) => {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return [];
    const magic = /^:(?:\([^)]*\)|[/!^]+)?(.*)$/.exec(text);
    const colon = text.indexOf(":");
    const stage = /^:[0-3]:(.*)$/.exec(text);
    return [
      text,
      ...(magic === null ? [] : [magic[1] as string]),
      ...(stage === null ? [] : [stage[1] as string]),
      ...(colon > 0 ? [text.slice(colon + 1)] : []),
    ];
  });
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

/** A diff without the files that are off limits, and with a line that says so. */
export function withoutDeniedFiles(output: string, cwd: string, paths: ToolPaths): string {
  if (!paths.rules.hasDenials || !/^diff --(git|cc|combined) /m.test(output)) return output;
  const parts = output.split(/^(?=diff --(?:git|cc|combined) )/m);
  return parts.map((part) => (isDeniedPart(part, cwd, paths) ? "[a file that is off limits here]\n" : part)).join("");
}

function isDeniedPart(part: string, cwd: string, paths: ToolPaths): boolean {
  const header = /^diff --(git|cc|combined) (.*)$/m.exec(part);
  if (header === null || !part.startsWith("diff --")) return false;
  const names = new Set<string>();
  const line = (header[2] as string).replaceAll('"', "");
  if (header[1] !== "git") names.add(line);
  for (const word of line.split(/ (?=[a-z]\/)| /)) names.add(word.replace(/^[a-z]\//, ""));
  for (const match of part.matchAll(/^(?:--- |\+\+\+ |rename from |rename to |copy from |copy to )(.*)$/gm))
    names.add((match[1] as string).replaceAll('"', "").replace(/^[a-z]\//, ""));
  return [...names].some(
    (name) => paths.rules.denies(name) || paths.rules.denies(paths.relative(fold(`${cwd}/${name}`))),
  );
}
