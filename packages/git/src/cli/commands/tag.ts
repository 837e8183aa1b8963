/** `git tag`. Rejects signatures; without an editor an annotated tag needs -m or -F. */

import { wantColor } from "../../config/color.ts";
import { GitError } from "../../errors.ts";
import { columnLayout, inColumns } from "../../format/columns.ts";
import { errnoText } from "../../lock-file.ts";
import { stripSpace } from "../../message/strip-space.ts";
import { parseTag } from "../../object/tag.ts";
import { createTag } from "../../porcelain/create-tag.ts";
import { filterRefs } from "../../porcelain/ref-filter/filter-refs.ts";
import { openRefList } from "../../porcelain/ref-filter/open-ref-list.ts";
import { removeTag } from "../../porcelain/remove-tag.ts";
import { refuseEditor } from "../../repository/editor.ts";
import type { Repository } from "../../repository.ts";
import { absolutePath } from "../../text/absolute-path.ts";
import { decode } from "../../text/bytes.ts";
import { listFilterFlags, readRefFilter } from "../flags/ref-filter-flags.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";
import type { ParsedFlags } from "../framework/flag-table.ts";
import { usageText } from "../framework/usage-text.ts";
import { terminalColumns } from "./diff/show-diff.ts";

const tagFlags = {
  list: { short: "-l", long: "--list", noNegation: true, help: "list tag names" },
  lines: { short: "-n", value: "optional", arg: "<n>", help: "print <n> lines of each tag message" },
  delete: { short: "-d", long: "--delete", noNegation: true, help: "delete tags" },
  verify: { short: "-v", long: "--verify", noNegation: true, help: "verify tags" },
  annotate: { short: "-a", long: "--annotate", help: "annotated tag, needs a message" },
  message: { short: "-m", long: "--message", value: "list", arg: "<message>", help: "tag message" },
  file: { short: "-F", long: "--file", value: "string", arg: "<file>", help: "read message from file" },
  edit: { short: "-e", long: "--edit", help: "force edit of tag message" },
  sign: { short: "-s", long: "--sign", help: "annotated and GPG-signed tag" },
  cleanup: {
    long: "--cleanup",
    value: "string",
    arg: "<mode>",
    help: "how to strip spaces and #comments from message",
  },
  localUser: {
    short: "-u",
    long: "--local-user",
    value: "string",
    arg: "<key-id>",
    help: "use another key to sign the tag",
  },
  force: { short: "-f", long: "--force", help: "replace the tag if exists" },
  createReflog: { long: "--create-reflog", help: "create a reflog" },
  column: { long: "--column", value: "optional", arg: "<style>", help: "show tag list in columns" },
  ...listFilterFlags,
  pointsAt: { ...listFilterFlags.pointsAt, lastDefault: "HEAD" },
  sort: { long: "--sort", value: "list", arg: "<key>", help: "field name to sort on" },
  format: { long: "--format", value: "string", arg: "<format>", help: "format to use for the output" },
  color: { long: "--color", value: "optional", arg: "<when>", help: "respect format colors" },
  ignoreCase: { short: "-i", long: "--ignore-case", help: "sorting and filtering are case insensitive" },
} as const;

type TagFlags = ParsedFlags<typeof tagFlags>["flags"];

const LIST_ONLY = [
  ["lines", "-n"],
  ["contains", "--contains"],
  ["with", "--contains"],
  ["noContains", "--no-contains"],
  ["without", "--no-contains"],
  ["pointsAt", "--points-at"],
  ["merged", "--merged"],
  ["noMerged", "--no-merged"],
] as const;

export const tag = defineCommand({
  name: "tag",
  usage: [
    "git tag [-a | -s | -u <key-id>] [-f] [-m <msg> | -F <file>] [-e]\n               <tagname> [<commit> | <object>]",
    "git tag -d <tagname>...",
    "git tag [-n[<num>]] -l [--contains <commit>] [--no-contains <commit>]\n               [--points-at <object>] [--column[=<options>] | --no-column]\n               [--create-reflog] [--sort=<key>] [--format=<format>]\n               [--merged <commit>] [--no-merged <commit>] [<pattern>...]",
    "git tag -v [--format=<format>] <tagname>...",
  ],
  flags: tagFlags,
  async run(context, { flags, args, afterDashes, order }) {
    const words = [...args, ...(afterDashes ?? [])];
    const usage = () => new GitError("EUSAGE", "", { prefix: "", hint: usageText(tag) });
    const modes = order.filter(({ name }) => name === "list" || name === "delete" || name === "verify");
    const [first, second] = modes;
    if (first && second && first.name !== second.name) throw incompatible(second, first);
    const asksToCreate =
      flags.annotate ||
      flags.sign ||
      flags.localUser ||
      flags.message ||
      flags.file ||
      flags.force ||
      flags.createReflog;
    const repo = await context.repository();
    const limit = LIST_ONLY.find(([name]) => flags[name] !== undefined)?.[1];
    const isMode = flags.list || flags.delete || flags.verify;
    const lists = !flags.delete && !flags.verify && (isMode || limit !== undefined || words.length === 0);
    if ((lists || isMode) && asksToCreate) throw usage();
    if (lists) return listTags(context, repo, flags, words);
    if (limit !== undefined) throw new GitError("EINVAL", `the '${limit}' option is only allowed in list mode`);
    if (flags.delete) return deleteTags(context, repo, words);
    if (flags.verify) throw new GitError("EUNSUPPORTED", "signatures are never checked here");
    if (words.length > 2) throw new GitError("EINVAL", "too many arguments");
    if (flags.sign || flags.localUser) {
      throw new GitError("EUNSUPPORTED", "signing is not supported here; use 'git tag -a'");
    }
    const isUnsigned = flags.sign === false || flags.annotate;
    const requested = flags.message !== undefined || typeof flags.file === "string";
    if (
      !isUnsigned &&
      ((requested && repo.config.getBool("tag.forcesignannotated")) || repo.config.getBool("tag.gpgsign"))
    )
      throw new GitError("EUNSUPPORTED", "signing tags (tag.gpgSign) is not supported here; use --no-sign");
    const mode = cleanupMode(flags);
    const annotated = flags.annotate || flags.message !== undefined || typeof flags.file === "string";
    const message = annotated ? await tagMessage(context, repo, flags, words[0] as string, mode) : undefined;
    const created = await createTag(repo, {
      name: words[0] as string,
      ...(words[1] === undefined ? {} : { target: words[1] }),
      ...(message === undefined ? {} : { message }),
      force: flags.force,
      createReflog: flags.createReflog,
    });
    context.err(created.advice);
    if (created.replaced)
      context.out(`Updated tag '${words[0]}' (was ${await repo.odb.abbreviate(created.replaced)})\n`);
    return 0;
  },
});

function incompatible(later: { name: string; text?: string }, earlier: { name: string; text?: string }): GitError {
  const displayed = ({ text = "" }: { text?: string }) =>
    text.startsWith("--") ? `option \`${text.slice(2)}'` : `switch \`${text.slice(1, 2)}'`;
  const long = { list: "--list", delete: "--delete", verify: "--verify" }[earlier.name];
  return new GitError(
    "EUSAGE",
    `${displayed(later)} is incompatible with ${earlier.text?.startsWith("--") ? earlier.text : long}`,
  );
}

type CleanupMode = (typeof CLEANUP_MODES)[number];
const CLEANUP_MODES = ["verbatim", "whitespace", "strip"] as const;

function cleanupMode({ cleanup }: TagFlags): CleanupMode {
  const found = CLEANUP_MODES.find((mode) => mode === (cleanup || "strip"));
  if (found === undefined) throw new GitError("EINVAL", `Invalid cleanup mode ${cleanup}`);
  return found;
}

async function tagMessage(
  context: CommandContext,
  repo: Repository,
  flags: TagFlags,
  name: string,
  mode: CleanupMode,
): Promise<string> {
  if (flags.message !== undefined && typeof flags.file === "string") {
    throw new GitError("EINVAL", "options '-F' and '-m' cannot be used together");
  }
  const input = flags.message?.join("\n\n") ?? (flags.file ? await readMessage(context, flags.file) : null);
  if (input === null || flags.edit) refuseEditor(repo);
  const raw = input ?? (await messageBefore(repo, `refs/tags/${name}`));
  if (mode === "verbatim") return raw;
  const comment = repo.config.get("core.commentchar") ?? "#";
  return stripSpace(raw, mode === "strip" ? { comment } : {});
}

/** The message of the tag to replace; fails if there is none. */
async function messageBefore(repo: Repository, ref: string): Promise<string> {
  const oid = (await repo.refs.resolve(ref))?.oid;
  const old = oid ? await repo.odb.need(oid) : null;
  const message = old?.type === "tag" ? parseTag(old.body).message : "";
  if (message.trim() === "") throw new GitError("EINVAL", "no tag message?");
  return message;
}

async function readMessage(context: CommandContext, file: string): Promise<string> {
  if (file === "-") return context.stdin.text();
  try {
    return decode(await context.host.fs.readFile(absolutePath(file, context.cwd)));
  } catch (error) {
    const reason = errnoText((error as { code?: string }).code);
    throw new GitError("ENOTFOUND", `could not open or read '${file}': ${reason}`, { cause: error });
  }
}

async function deleteTags(context: CommandContext, repo: Repository, names: readonly string[]): Promise<number> {
  let failed = 0;
  for (const name of names) {
    const oid = await removeTag(repo, name);
    if (oid === null) {
      context.err(`error: tag '${name}' not found.\n`);
      failed = 1;
      continue;
    }
    context.out(`Deleted tag '${name}' (was ${await repo.odb.abbreviate(oid)})\n`);
  }
  return failed;
}

async function listTags(
  context: CommandContext,
  repo: Repository,
  flags: TagFlags,
  patterns: readonly string[],
): Promise<number> {
  const list = await openRefList(repo);
  const lines =
    flags.lines === undefined || flags.lines === false ? null : flags.lines === true ? 1 : Number(flags.lines);
  if (lines !== null && !Number.isInteger(lines)) throw new GitError("EUSAGE", "switch `n' expects a numerical value");
  if (lines !== null && flags.column)
    throw new GitError("EINVAL", "options '--column' and '-n' cannot be used together");
  const usual = !lines ? "%(refname:strip=2)" : `%(align:15)%(refname:strip=2)%(end) %(contents:lines=${lines})`;
  const color = wantColor(repo.config, "color.ui", flags.color);
  const print = list.printer(flags.format || usual, undefined, { color });
  const filter = {
    ...(await readRefFilter(repo, flags)),
    patterns,
    matching: "short" as const,
    prefixes: ["refs/tags/"],
  };
  const keys = flags.sort ?? repo.config.getAll("tag.sort");
  const displayed: string[] = [];
  for (const ref of await list.sort(await filterRefs(repo, filter), keys, { ignoreCase: flags.ignoreCase })) {
    displayed.push(await print(ref));
  }
  const layout = lines === null ? columnLayout(repo.config, "tag", flags.column) : null;
  if (layout !== null) context.out(inColumns(displayed, layout, { padding: 2, width: terminalColumns(context) }));
  else context.out(displayed.map((line) => `${line}\n`).join(""));
  return 0;
}
