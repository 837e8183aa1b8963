/** `git name-rev`. */
import { type Oid, parseOid } from "../../object/oid.ts";
import { cannotDescribe, nameCommits } from "../../porcelain/describe/name-commits.ts";
import { commitReader } from "../../revision/commit-node.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { peelTags } from "../../revision/peel.ts";
import { RevisionArguments } from "../../revision/revision-arguments.ts";
import { walk } from "../../revision/walk.ts";
import { defineCommand } from "../framework/command.ts";

export const nameRev = defineCommand({
  name: "name-rev",
  usage: [
    "git name-rev [<options>] <commit>...",
    "git name-rev [<options>] --all",
    "git name-rev [<options>] --annotate-stdin",
  ],
  flags: {
    nameOnly: { long: "--name-only", help: "print only ref-based names (no object names)" },
    tags: { long: "--tags", help: "only use tags to name the commits" },
    refs: { long: "--refs", value: "list", arg: "<pattern>", help: "only use refs matching <pattern>" },
    exclude: { long: "--exclude", value: "list", arg: "<pattern>", help: "ignore refs matching <pattern>" },
    all: { long: "--all", help: "list all commits reachable from all refs" },
    annotateStdin: { long: "--annotate-stdin", help: "annotate text from stdin" },
    stdin: { long: "--stdin", help: "deprecated: use --annotate-stdin instead", hidden: true },
    undefined: { long: "--undefined", help: "allow to print `undefined` names (default)" },
    always: { long: "--always", help: "show abbreviated commit object as fallback" },
    peelTag: { long: "--peel-tag", hidden: true, help: "dereference tags in the input (internal use)" },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const reader = commitReader(repo);
    const requested: { oid: Oid; name: string }[] = [];
    let oldest = Number.POSITIVE_INFINITY;
    for (const name of [...args, ...(afterDashes ?? [])]) {
      const found = await findRevision(repo, name);
      const end = found && (await peelTags(repo, found.oid));
      if (!found || !end) {
        context.err(`Could not get ${found ? "object" : "sha1"} for ${name}. Skipping.\n`);
        continue;
      }
      if (end.type === "commit") oldest = Math.min(oldest, (await reader.read(end.oid)).seconds);
      requested.push({ oid: flags.peelTag ? end.oid : found.oid, name });
    }
    const everything = flags.all || flags.annotateStdin || flags.stdin;
    const nameOf = await nameCommits(repo, {
      tagsOnly: flags.tags,
      nameOnly: flags.nameOnly,
      refs: flags.refs,
      exclude: flags.exclude,
      peelTag: false,
      ...(everything || oldest === Number.POSITIVE_INFINITY ? {} : { oldest }),
    });
    const show = async (oid: Oid, name: string) => {
      const found = nameOf(oid);
      if (!flags.nameOnly) context.out(`${name} `);
      if (found !== null) context.out(`${found}\n`);
      else if (flags.undefined !== false) context.out("undefined\n");
      else if (flags.always) context.out(`${await repo.odb.abbreviate(oid)}\n`);
      else throw cannotDescribe(oid);
    };
    if (flags.annotateStdin || flags.stdin) {
      for await (const line of context.stdin.lines("\n", { ends: true })) {
        const named = line
          .replace(/\r\n$/, () => "\n")
          .replace(/(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])/g, (hex) => {
            const name = nameOf(parseOid(hex) as Oid);
            return name === null ? hex : flags.nameOnly ? name : `${hex} (${name})`;
          });
        context.out(named);
      }
      return 0;
    }
    if (flags.all) {
      const named = new RevisionArguments(repo);
      await named.refs("all");
      for await (const { oid } of walk(repo, { tips: named.tips })) await show(oid, oid);
      return 0;
    }
    for (const { oid, name } of requested) await show(oid, name);
    return 0;
  },
});
