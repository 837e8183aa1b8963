/** `git cat-file`: one object, or the objects named on stdin. */
import { openConversion } from "../../../convert/conversion.ts";
import { GitError } from "../../../errors.ts";
import { loadMailmap, type Mailmap } from "../../../message/mailmap.ts";
import type { Oid } from "../../../object/oid.ts";
import type { GitObject, ObjectType } from "../../../odb/object-database.ts";
import { peel } from "../../../odb/read-object.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision, type ResolvedRevision } from "../../../revision/find-revision.ts";
import { diagnoseRevision } from "../../../revision/resolve-revision.ts";
import { type CommandContext, defineCommand } from "../../framework/command.ts";
import { usageText } from "../../framework/usage-text.ts";
import { type BatchMode, batchObjects } from "./batch.ts";
import { putObject } from "./put-object.ts";
import { listTree } from "./tree-listing.ts";

const TYPES: readonly string[] = ["commit", "tree", "blob", "tag"];
const mode = (short: string, help: string) => ({ short, help }) as const;
const batch = (long: string, help: string) =>
  ({ long, value: "optional", arg: "<format>", noNegation: true, help }) as const;

export const catFile = defineCommand({
  name: "cat-file",
  usage: [
    "git cat-file <type> <object>",
    "git cat-file (-e | -p) <object>",
    "git cat-file (-t | -s) [--allow-unknown-type] <object>",
    "git cat-file (--batch | --batch-check | --batch-command) [--batch-all-objects]\n                    [--buffer] [--follow-symlinks] [--unordered]\n                    [--textconv | --filters] [-z]",
    "git cat-file (--textconv | --filters)\n                    [<rev>:<path|tree-ish> | --path=<path|tree-ish> <rev>]",
  ],
  flags: {
    exists: mode("-e", "check if <object> exists"),
    pretty: mode("-p", "pretty-print <object> content"),
    type: mode("-t", "show object type (one of 'blob', 'tree', 'commit', 'tag', ...)"),
    size: mode("-s", "show object size"),
    allowUnknownType: {
      long: "--allow-unknown-type",

      help: "allow -s and -t to work with broken/corrupt objects",
    },
    mailmap: { long: "--use-mailmap", help: "use mail map file" },
    mailmapToo: { long: "--mailmap", help: "alias of --use-mailmap", hidden: true },
    batch: batch("--batch", "show full <object> or <rev> contents"),
    batchCheck: batch("--batch-check", "like --batch, but don't emit <contents>"),
    nul: mode("-z", "stdin is NUL-terminated"),
    batchCommand: batch("--batch-command", "read commands from stdin"),
    batchAll: {
      long: "--batch-all-objects",

      help: "with --batch[-check]: ignores stdin, batches all known objects",
    },
    buffer: { long: "--buffer", help: "buffer --batch output" },
    followSymlinks: { long: "--follow-symlinks", help: "follow in-tree symlinks" },
    unordered: { long: "--unordered", help: "do not order objects before emitting them" },
    textconv: { long: "--textconv", noNegation: true, help: "run textconv on object's content" },
    filters: { long: "--filters", noNegation: true, help: "run filters on object's content" },
    path: {
      long: "--path",
      value: "string",
      arg: "blob|tree",
      help: "use a <path> for (--textconv | --filters); Not with 'batch'",
    },
  },
  async run(context, parsed) {
    const { flags } = parsed;
    const args = [...parsed.args, ...(parsed.afterDashes ?? [])];
    const usage = (message: string) =>
      new GitError("EUSAGE", message, { prefix: message === "" ? "" : "fatal", hint: usageText(catFile) });
    const input = parsed.order.filter(({ name }) => name in MODES);
    const [one, other] = input;
    if (one !== undefined && other !== undefined && one.name !== other.name) throw incompatible(other.name, one.name);
    const batches = parsed.order.filter(
      ({ name }) => name === "batch" || name === "batchCheck" || name === "batchCommand",
    );
    if (batches.length > 1) throw new GitError("EUSAGE", "only one batch option may be specified");
    const option = one === undefined ? "" : (MODES[one.name] as string);
    const inBatch = batches.length > 0;
    if (flags.path && option !== "--filters" && option !== "--textconv")
      throw usage("'--path=<path|tree-ish>' needs '--filters' or '--textconv'");
    if (!inBatch) {
      if (flags.batchAll) throw usage("'--batch-all-objects' requires a batch mode");
      if (flags.followSymlinks) throw usage("'--follow-symlinks' requires a batch mode");
      if (flags.buffer) throw usage("'--buffer' requires a batch mode");
      if (flags.nul) throw usage("'-z' requires a batch mode");
    } else {
      if (option !== "" && option !== "--filters" && option !== "--textconv")
        throw usage(`'${option}' is incompatible with batch mode`);
      if (args.length > 0) throw usage("batch modes take no arguments");
    }
    const repo = await context.repository();
    const named = parsed.order.findLast(({ name }) => name === "mailmap" || name === "mailmapToo");
    const mailmap = named?.value ? await loadMailmap(repo) : null;
    if (inBatch) return batchObjects(context, repo, { ...batchMode(flags, option), mailmap });
    if (option !== "") {
      if (args.length === 0)
        throw usage(`<${flags.textconv || flags.filters ? "rev" : "object"}> required with '${option}'`);
      if (args.length > 1) throw usage("too many arguments");
      if (flags.allowUnknownType && !flags.type && !flags.size)
        throw new GitError("EINVAL", "git cat-file --allow-unknown-type: use with -s or -t");
      return showOne(context, repo, args[0] as string, option, { path: flags.path || null, mailmap });
    }
    if (args.length === 0) throw usage("");
    if (args.length !== 2) throw usage(`only two arguments allowed in <type> <object> mode, not ${args.length}`);
    return showTyped(context, repo, args[0] as string, args[1] as string, mailmap);
  },
});

const MODES: Readonly<Record<string, string>> = {
  exists: "-e",
  pretty: "-p",
  type: "-t",
  size: "-s",
  textconv: "--textconv",
  filters: "--filters",
};

function incompatible(second: string, first: string): GitError {
  const option = MODES[second] as string;
  const named = option.startsWith("--") ? `option \`${option.slice(2)}'` : `switch \`${option.slice(1)}'`;
  return new GitError("EUSAGE", `${named} is incompatible with ${MODES[first]}`);
}

function batchMode(
  flags: {
    batch?: string | boolean;
    batchCheck?: string | boolean;
    batchCommand?: string | boolean;
    batchAll?: boolean;
    nul?: boolean;
    buffer?: boolean;
    followSymlinks?: boolean;
    unordered?: boolean;
  },
  option: string,
): Omit<BatchMode, "mailmap"> {
  const format = flags.batch ?? flags.batchCheck ?? flags.batchCommand;
  return {
    kind: flags.batch !== undefined ? "contents" : flags.batchCheck !== undefined ? "info" : "commands",
    format: typeof format === "string" ? format : null,
    all: flags.batchAll === true,
    unordered: flags.unordered === true,
    separator: flags.nul ? "\0" : "\n",
    buffer: flags.buffer === true,
    followSymlinks: flags.followSymlinks === true,
    transform: option === "--filters" ? "filters" : option === "--textconv" ? "textconv" : null,
  };
}

async function find(repo: Repository, name: string): Promise<ResolvedRevision> {
  const found = await findRevision(repo, name);
  if (found !== null) return found;
  if (name.includes(":")) throw await diagnoseRevision(repo, name);
  throw notValid(name);
}

async function showOne(
  context: CommandContext,
  repo: Repository,
  name: string,
  option: string,
  { path, mailmap }: { path: string | null; mailmap: Mailmap | null },
): Promise<number> {
  const { oid, path: within } = await find(repo, name);
  if (option === "-e") return (await repo.odb.has(oid)) ? 0 : 1;
  if (option === "-t" || option === "-s") {
    const header = await repo.odb.header(oid);
    if (header === null) throw new GitError("ENOTFOUND", "git cat-file: could not get object info");
    context.out(`${option === "-t" ? header.type : header.size}\n`);
    return 0;
  }
  const where = path ?? within;
  if (option !== "-p" && where === undefined)
    throw new GitError("EINVAL", `<object>:<path> required, only <object> '${name}' given`);
  const header = await repo.odb.header(oid);
  if (header === null) throw notValid(name);
  if (header.type === "tree" && option !== "--textconv") {
    const { body } = await repo.odb.need(oid, "tree");
    context.out(listTree(body, repo.config));
    return 0;
  }
  if (option === "--filters" && header.type === "blob") {
    const { body } = await repo.odb.need(oid, "blob");
    context.out(await toWorkTree(repo, where as string, body, oid));
  } else await putObject(context, repo, oid, header, mailmap);
  return 0;
}

async function toWorkTree(repo: Repository, path: string, body: Uint8Array, oid: Oid): Promise<Uint8Array> {
  const conversion = await openConversion(repo);
  await conversion.prepare([path]);
  return conversion.toWorkTree(path, body, oid);
}

async function showTyped(
  context: CommandContext,
  repo: Repository,
  type: string,
  name: string,
  mailmap: Mailmap | null,
): Promise<number> {
  if (!TYPES.includes(type)) throw new GitError("EINVAL", `invalid object type "${type}"`);
  const { oid } = await find(repo, name);
  const wanted = type as ObjectType;
  const header = await repo.odb.header(oid);
  const peeled = header === null ? null : header.type === wanted ? oid : await peel(repo.odb, oid, wanted);
  if (peeled === null) throw new GitError("ENOTFOUND", `git cat-file ${name}: bad file`);
  const found = (await repo.odb.header(peeled)) as { type: GitObject["type"]; size: number };
  await putObject(context, repo, peeled, found, mailmap);
  return 0;
}

function notValid(name: string): GitError {
  return new GitError("ENOTFOUND", `Not a valid object name ${name}`);
}
