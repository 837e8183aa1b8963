/** `git check-attr` */
import { type AttributeValue, isAttributeName } from "../../attributes/attribute-line.ts";
import { openAttributes } from "../../attributes/attributes.ts";
import { GitError } from "../../errors.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import { readIndex } from "../../index/read-index.ts";
import { ownStage } from "../../index/staged-conversion.ts";
import type { Repository } from "../../repository.ts";
import { quotePath, quotesFully, unquotedLine } from "../../text/quote-path.ts";
import { pathInTree } from "../../text/relative-path.ts";
import { type Command, defineCommand } from "../framework/command.ts";
import { usageText } from "../framework/usage-text.ts";

const table = {
  usage: [
    "git check-attr [-a | --all | <attr>...] [--] <pathname>...",
    "git check-attr --stdin [-z] [-a | --all | <attr>...]",
  ],
  flags: {
    all: { short: "-a", long: "--all", help: "report all attributes set on file" },
    cached: { long: "--cached", help: "use .gitattributes only from the index" },
    stdin: { long: "--stdin", help: "read file names from stdin" },
    nul: { short: "-z", help: "terminate input and output records by a NUL character" },
  },
} as const satisfies Pick<Command, "usage" | "flags">;

export const checkAttr = defineCommand({
  name: "check-attr",
  ...table,
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const wrong = (reason: string) => new GitError("EUSAGE", reason, { hint: usageText(table) });
    const { names, paths } = sortArguments(Boolean(flags.all), Boolean(flags.stdin), args, afterDashes, wrong);
    const bad = names.find((name) => !isAttributeName(name));
    if (bad !== undefined) {
      throw new GitError("EINVAL", `${bad}: not a valid attribute name`, { prefix: "error", exitCode: 255 });
    }
    const attributes = await openAttributes(flags.cached ? { ...repo, workTree: null } : repo, {
      staged: await stagedReader(repo),
    });
    const quoted = (path: string) => quotePath(path, { full: quotesFully(repo.config) });
    const show = async (file: string) => {
      const path = pathInTree(repo, file);
      if (path === null) throw new GitError("EINVAL", `'${file}' is outside repository at '${repo.workTree ?? ""}'`);
      await attributes.prepare([path]);
      const found: [string, AttributeValue | undefined][] = flags.all
        ? [...attributes.all(path)]
        : names.map((name) => [name, attributes.get(path, name)]);
      for (const [name, value] of found) {
        const word = value === true ? "set" : value === false ? "unset" : (value ?? "unspecified");
        context.out(flags.nul ? `${file}\0${name}\0${word}\0` : `${quoted(file)}: ${name}: ${word}\n`);
      }
    };
    for (const file of paths) await show(file);
    if (flags.stdin) {
      const lines = context.stdin.lines(flags.nul ? "\0" : "\n");
      for await (const line of lines) await show(flags.nul ? line : unquotedLine(line));
    }
    return 0;
  },
});

/** Without "--" only the first argument is an attribute; with it, all arguments before it are. */
function sortArguments(
  all: boolean,
  stdin: boolean,
  args: readonly string[],
  afterDashes: readonly string[] | null,
  wrong: (reason: string) => GitError,
): { names: readonly string[]; paths: readonly string[] } {
  if (all && args.length > 0 && afterDashes !== null) throw wrong("Attributes and --all both specified");
  const names = all ? [] : stdin || afterDashes !== null ? args : args.slice(0, 1);
  if (!all && names.length === 0) throw wrong("No attribute specified");
  const paths = afterDashes ?? args.slice(names.length);
  if (stdin && paths.length > 0) throw wrong("Can't specify files with --stdin");
  if (!stdin && paths.length === 0) throw wrong("No file specified");
  return { names, paths };
}

async function stagedReader(repo: Repository): Promise<(path: string) => Promise<Uint8Array | null>> {
  const index = new IndexEditor(await readIndex(repo));
  return async (path) => {
    const entry = ownStage(index.at(path));
    return entry === undefined ? null : ((await repo.odb.read(entry.oid))?.body ?? null);
  };
}
