/** `git ls-files` */

import { GitError } from "../../../errors.ts";
import { expandFields } from "../../../format/expand-fields.ts";
import { octal } from "../../../object/file-mode.ts";
import type { Oid } from "../../../object/oid.ts";
import { parsePathspec, unmatchedError } from "../../../pathspec/pathspec.ts";
import { openEolColumns } from "../../../porcelain/list-files/eol-columns.ts";
import { type ListedFile, type ListFilesOptions, listFiles } from "../../../porcelain/list-files/list-files.ts";
import type { Repository } from "../../../repository.ts";
import { resolveRevision } from "../../../revision/resolve-revision.ts";
import { quotePath, quotesFully } from "../../../text/quote-path.ts";
import { relativePath } from "../../../text/relative-path.ts";
import { readInput } from "../../flags/pathspec-arguments.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import type { ParsedFlags } from "../../framework/flag-table.ts";
import { usageText } from "../../framework/usage-text.ts";
import { lsFilesFlags } from "./ls-files-flags.ts";

type ListFilesFlags = ParsedFlags<typeof lsFilesFlags>["flags"];

export const lsFiles = defineCommand({
  name: "ls-files",
  usage: ["git ls-files [<options>] [<file>...]"],
  flags: lsFilesFlags,
  async run(context, { flags, args, afterDashes, order }) {
    const repo = await context.repository();
    const options = await listFilesOptions(context, repo, flags, order);
    const paths = [...args, ...(afterDashes ?? [])];
    const pathspec = parsePathspec(repo, paths, { prefer: "cwd" });
    const print = await printer(repo, flags);
    // Only listed files count as a match.
    const named = flags.errorUnmatch ? parsePathspec(repo, paths, { prefer: "cwd" }) : null;
    for (const file of await listFiles(repo, { ...options, pathspec })) {
      named?.matches(
        file.path.replace(/\/$/, () => ""),
        { isDirectory: file.path.endsWith("/") },
      );
      context.out(await print(file));
    }
    const unmatched = named?.unmatched() ?? [];
    if (unmatched.length === 0) return 0;
    if (unmatched.length > 0) context.err(`error: ${unmatchedError(unmatched).message}\n`);
    context.err("Did you forget to 'git add'?\n");
    return 1;
  },
});

async function listFilesOptions(
  context: CommandContext,
  repo: Repository,
  flags: ListFilesFlags,
  order: readonly { name: string; value: string | boolean }[],
): Promise<Omit<ListFilesOptions, "pathspec">> {
  const tags = flags.tags || flags.lowercase || flags.fsmonitor;
  const stage = flags.stage || flags.unmerged;
  const clashes =
    flags.stage || flags.others || flags.killed || flags.tags || flags.resolveUndo || flags.deduplicate || flags.eol;
  if (flags.format && clashes) {
    const reason = "--format cannot be used with -s, -o, -k, -t, --resolve-undo, --deduplicate, --eol";
    throw new GitError("EUSAGE", reason, { prefix: "fatal", hint: `\n${usageText(lsFiles)}` });
  }
  if (flags.withTree && stage)
    throw new GitError("EINVAL", "options 'ls-files --with-tree' and '-s/-u' cannot be used together");
  const hasRules = flags.exclude || flags.excludeFrom || flags.excludePerDirectory || flags.excludeStandard;
  if (flags.ignored && !flags.others && !flags.cached) {
    throw new GitError("EINVAL", "ls-files -i must be used with either -o or -c");
  }
  if (flags.ignored && !hasRules) throw new GitError("EINVAL", "ls-files --ignored needs some exclude pattern");
  const { workTree } = repo;
  const needsWorkTree = flags.others || flags.deleted || flags.modified || flags.killed;
  if (needsWorkTree && workTree === null) throw new GitError("ESTATE", "this operation must be run in a work tree");
  const some = stage || flags.deleted || flags.modified || flags.others || flags.killed || flags.resolveUndo;
  const files: { source: string; content: Uint8Array }[] = [];
  for (const { name, value } of order) {
    if (name === "excludeFrom") files.push({ source: String(value), content: await readRules(context, String(value)) });
  }
  return {
    cached: Boolean(flags.cached) || !some,
    stage: Boolean(stage),
    unmerged: flags.unmerged ?? false,
    deleted: flags.deleted ?? false,
    modified: flags.modified ?? false,
    others: flags.others ?? false,
    killed: flags.killed ?? false,
    ignored: flags.ignored ?? false,
    resolveUndo: flags.resolveUndo ?? false,
    directory: flags.directory ?? false,
    emptyDirectories: flags.emptyDirectory ?? true,
    // Without tags one line per path is enough; with tags, it is not known which line to print.
    deduplicate: Boolean(flags.deduplicate) && !tags && !stage,
    ignores: {
      standard: flags.excludeStandard ?? false,
      patterns: flags.exclude ?? [],
      files,
      ...(flags.excludePerDirectory ? { perDirectory: flags.excludePerDirectory } : {}),
    },
    ...(flags.withTree ? { withTree: await needTree(repo, flags.withTree) } : {}),
  };
}

async function needTree(repo: Repository, name: string): Promise<Oid> {
  const missing = () => `tree-ish ${name} not found.`;
  return resolveRevision(repo, name, { type: "tree", missing });
}

async function readRules(context: CommandContext, path: string): Promise<Uint8Array> {
  try {
    return await readInput(context, path);
  } catch (cause) {
    throw new GitError("ENOTFOUND", `cannot use ${path} as an exclude file`, { cause });
  }
}

async function printer(repo: Repository, flags: ListFilesFlags): Promise<(file: ListedFile) => Promise<string>> {
  const end = flags.nul ? "\0" : "\n";
  const full = quotesFully(repo.config);
  const displayed = (path: string) => {
    const relative = flags.fullName ? path : relativePath(path, repo.prefix);
    return flags.nul ? relative : quotePath(relative, { full });
  };
  const abbreviated = (file: ListedFile) => {
    const { oid } = file.entry as NonNullable<ListedFile["entry"]>;
    if (flags.abbrev === undefined || flags.abbrev === false) return oid;
    return repo.odb.abbreviate(oid, flags.abbrev === true ? undefined : Number(flags.abbrev));
  };
  const eol = flags.eol || flags.format ? await openEolColumns(repo) : null;
  return async (file) => {
    const { entry, path } = file;
    const debug = flags.debug ? debugLines(file) : "";
    if (flags.format && entry) {
      const values = await formatValues(file, displayed, abbreviated);
      const columns = await eol?.read(path, entry);
      const eolValues: Record<string, string> = {
        "eolinfo:index": columns?.index ?? "",
        "eolinfo:worktree": columns?.work ?? "",
        eolattr: columns?.attribute ?? "",
      };
      return expandFields(flags.format, "ls-files", (name) => values[name] ?? eolValues[name]) + end + debug;
    }
    const tag = flags.tags || flags.lowercase || flags.fsmonitor ? `${tagOf(file, flags)} ` : "";
    if (!entry) return `${tag}${eol ? (await eol.read(path, null)).text : ""}${displayed(path)}${end}`;
    const stage =
      flags.stage || flags.unmerged || file.tag === "U"
        ? `${octal(entry.mode)} ${await abbreviated(file)} ${entry.stage}\t`
        : "";
    const ending = eol ? (await eol.read(path, entry)).text : "";
    return `${tag}${stage}${ending}${displayed(path)}${end}${debug}`;
  };
}

function tagOf({ tag, entry }: ListedFile, { lowercase }: ListFilesFlags): string {
  return lowercase && entry?.assumeValid ? tag.toLowerCase() : tag;
}

async function formatValues(
  file: ListedFile,
  displayed: (path: string) => string,
  abbreviated: (file: ListedFile) => string | Promise<string>,
): Promise<Record<string, string>> {
  const { entry, path } = file as ListedFile & { entry: NonNullable<ListedFile["entry"]> };
  return {
    objectmode: octal(entry.mode),
    objectname: await abbreviated(file),
    stage: String(entry.stage),
    path: displayed(path),
  };
}

function debugLines({ entry }: ListedFile): string {
  if (!entry) return "";
  const { stat, assumeValid, stage, skipWorktree, intentToAdd } = entry;
  const extended = (intentToAdd ? 0x20000000 : 0) + (skipWorktree ? 0x40000000 : 0);
  const flags = extended + (extended ? 0x4000 : 0) + (assumeValid ? 0x8000 : 0) + (stage << 12);
  return `  ctime: ${stat.ctimeSeconds}:${stat.ctimeNanos}
  mtime: ${stat.mtimeSeconds}:${stat.mtimeNanos}
  dev: ${stat.dev}\tino: ${stat.ino}
  uid: ${stat.uid}\tgid: ${stat.gid}
  size: ${stat.size}\tflags: ${flags.toString(16)}
`;
}
