/** `git ls-tree` */
import { GitError } from "../../errors.ts";
import { expandFields } from "../../format/expand-fields.ts";
import { typeOfMode } from "../../object/file-mode.ts";
import { parsePathspec } from "../../pathspec/pathspec.ts";
import { type ListedTreeEntry, listTree } from "../../porcelain/list-tree.ts";
import type { Repository } from "../../repository.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTo } from "../../revision/peel.ts";
import { quotePath, quotesFully } from "../../text/quote-path.ts";
import { relativePath } from "../../text/relative-path.ts";
import { defineCommand } from "../framework/command.ts";
import { requireExclusive } from "../framework/require-exclusive.ts";
import { usageText } from "../framework/usage-text.ts";

export const lsTree = defineCommand({
  name: "ls-tree",
  usage: ["git ls-tree [<options>] <tree-ish> [<path>...]"],
  flags: {
    treesOnly: { short: "-d", help: "only show trees" },
    recursive: { short: "-r", help: "recurse into subtrees" },
    showTrees: { short: "-t", help: "show trees when recursing" },
    nul: { short: "-z", help: "terminate entries with NUL byte" },
    long: { short: "-l", long: "--long", help: "include object size" },
    nameOnly: { long: "--name-only", help: "list only filenames" },
    nameStatus: { long: "--name-status", help: "list only filenames" },
    objectOnly: { long: "--object-only", help: "list only objects" },
    fullName: { long: "--full-name", help: "use full path names" },
    fullTree: {
      long: "--full-tree",

      help: "list entire tree; not just current directory (implies --full-name)",
    },
    format: { long: "--format", value: "string", arg: "<format>", help: "format to use for the output" },
    abbrev: { long: "--abbrev", value: "optional", arg: "<n>", help: "use <n> digits to display object names" },
  },
  async run(context, { flags, args, afterDashes, order }) {
    const [name, ...paths] = [...args, ...(afterDashes ?? [])];
    if (name === undefined) throw new GitError("EUSAGE", "", { hint: usageText(lsTree) });
    requireExclusive(MODES, order);
    const modes = flags.long || flags.nameOnly || flags.nameStatus || flags.objectOnly;
    if (flags.format && modes) {
      const reason = "--format can't be combined with other format-altering options";
      throw new GitError("EUSAGE", reason, { prefix: "fatal", hint: `\n${usageText(lsTree)}` });
    }
    const repo = await context.repository();
    const found = await findRevision(repo, name);
    if (found === null) throw new GitError("ENOTFOUND", `Not a valid object name ${name}`);
    const tree = await peelTo(repo, found.oid, "tree");
    if (tree === null) throw new GitError("ENOTFOUND", "not a tree object");
    const prefix = flags.fullTree ? "" : repo.prefix;
    const showTrees = flags.showTrees || (flags.treesOnly && flags.recursive);
    const wanted = paths.length === 0 ? (prefix === "" ? [] : [prefix]) : matched({ ...repo, prefix }, paths);
    const entries = await listTree(repo, tree, { ...flags, showTrees, paths: wanted });
    const displayed = (path: string) => {
      const relative = flags.fullName || flags.fullTree ? path : relativePath(path, repo.prefix);
      return flags.nul ? relative : quotePath(relative, { full: quotesFully(repo.config) });
    };
    const end = flags.nul ? "\0" : "\n";
    for (const entry of entries) context.out((await formatTreeEntry(repo, entry, flags, displayed)) + end);
    return 0;
  },
});

const MODES: Readonly<Record<string, string>> = {
  long: "long",
  nameOnly: "name-only",
  nameStatus: "name-status",
  objectOnly: "object-only",
};

/** Wildcards match literally here. */
function matched(position: Parameters<typeof parsePathspec>[0], paths: readonly string[]): string[] {
  const pathspec = parsePathspec(position, paths);
  pathspec.refuse(["glob", "icase", "exclude", "attr"]);
  return pathspec.items.map(({ match }) => match);
}

interface LineFlags {
  readonly long?: boolean;
  readonly nameOnly?: boolean;
  readonly nameStatus?: boolean;
  readonly objectOnly?: boolean;
  readonly format?: string | false;
  readonly abbrev?: string | boolean;
}

async function formatTreeEntry(
  repo: Repository,
  { path, mode, oid }: ListedTreeEntry,
  flags: LineFlags,
  displayed: (path: string) => string,
) {
  if (flags.nameOnly || flags.nameStatus) return displayed(path);
  const { abbrev } = flags;
  const name =
    abbrev === undefined || abbrev === false
      ? oid
      : await repo.odb.abbreviate(oid, abbrev === true ? undefined : Number(abbrev));
  if (flags.objectOnly) return name;
  const type = typeOfMode(mode);
  const octal = mode.toString(8).padStart(6, "0");
  const size = async () => (type === "blob" ? String((await repo.odb.header(oid))?.size ?? "BAD") : "-");
  if (!flags.format) {
    const length = flags.long ? ` ${(await size()).padStart(7)}` : "";
    return `${octal} ${type} ${name}${length}\t${displayed(path)}`;
  }
  const length = flags.format.includes("objectsize") ? await size() : "";
  const fields: Record<string, string> = {
    objectmode: octal,
    objecttype: type,
    objectname: name,
    objectsize: length,
    "objectsize:padded": length.padStart(7),
    path: displayed(path),
  };
  return expandFields(flags.format, "ls-tree", (field) => fields[field]);
}
