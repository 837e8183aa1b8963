/** `git show-ref`. */
import { GitError } from "../../errors.ts";
import type { Oid } from "../../object/oid.ts";
import { isRefName } from "../../refs/ref-name.ts";
import type { Repository } from "../../repository.ts";
import { peelTags } from "../../revision/peel.ts";
import { type CommandContext, defineCommand } from "../framework/command.ts";

export const showRef = defineCommand({
  name: "show-ref",
  usage: [
    "git show-ref [-q | --quiet] [--verify] [--head] [-d | --dereference]\n             [-s | --hash[=<n>]] [--abbrev[=<n>]] [--tags]\n             [--heads] [--] [<pattern>...]",
    "git show-ref --exclude-existing[=<pattern>]",
  ],
  flags: {
    tags: { long: "--tags", help: "only show tags (can be combined with heads)" },
    heads: { long: "--heads", help: "only show heads (can be combined with tags)" },
    verify: { long: "--verify", help: "stricter reference checking, requires exact ref path" },
    head: { long: "--head", help: "show the HEAD reference, even if it would be filtered out" },
    dereference: { short: "-d", long: "--dereference", help: "dereference tags into object IDs" },
    hash: { short: "-s", long: "--hash", value: "optional", arg: "<n>", help: "only show SHA1 hash using <n> digits" },
    abbrev: { long: "--abbrev", value: "optional", arg: "<n>", help: "use <n> digits to display object names" },
    quiet: {
      short: "-q",
      long: "--quiet",

      help: "do not print results to stdout (useful with --verify)",
    },
    excludeExisting: {
      long: "--exclude-existing",
      value: "optional",
      arg: "<pattern>",
      help: "show refs from stdin that aren't in local repository",
    },
  },
  async run(context, { flags, args, afterDashes }) {
    const repo = await context.repository();
    const patterns = [...args, ...(afterDashes ?? [])];
    if (flags.excludeExisting) return excludeExisting(context, repo, flags.excludeExisting);
    const digits = typeof flags.hash === "string" ? flags.hash : flags.abbrev === true ? "" : flags.abbrev || null;
    const name = async (oid: Oid) => (digits === null ? oid : repo.odb.abbreviate(oid, Number(digits) || undefined));
    const show = async (ref: { name: string; oid: Oid }) => {
      if (!(await repo.odb.has(ref.oid)))
        throw new GitError("ECORRUPT", `git show-ref: bad ref ${ref.name} (${ref.oid})`);
      if (flags.quiet) return;
      const hashOnly = Boolean(flags.hash);
      context.out(hashOnly ? `${await name(ref.oid)}\n` : `${await name(ref.oid)} ${ref.name}\n`);
      if (!flags.dereference) return;
      const end = await peelTags(repo, ref.oid);
      if (!end || end.oid === ref.oid) return;
      context.out(hashOnly ? `${await name(end.oid)}\n` : `${await name(end.oid)} ${ref.name}^{}\n`);
    };
    if (flags.verify) {
      if (patterns.length === 0) throw new GitError("EINVAL", "--verify requires a reference");
      for (const pattern of patterns) {
        const value = pattern.startsWith("refs/") || pattern === "HEAD" ? await repo.refs.resolve(pattern) : null;
        if (value?.oid) await show({ name: pattern, oid: value.oid });
        else if (flags.quiet) return 1;
        else throw new GitError("ENOTFOUND", `'${pattern}' - not a valid ref`);
      }
      return 0;
    }
    let displayed = 0;
    if (flags.head) {
      const head = await repo.refs.resolve("HEAD");
      if (head?.oid) {
        await show({ name: "HEAD", oid: head.oid });
        displayed++;
      }
    }
    for (const ref of await repo.refs.list()) {
      const inGroup =
        (flags.heads && ref.name.startsWith("refs/heads/")) || (flags.tags && ref.name.startsWith("refs/tags/"));
      if ((flags.heads || flags.tags) && !inGroup) continue;
      if (patterns.length > 0 && !patterns.some((pattern) => `/${ref.name}`.endsWith(`/${pattern}`))) continue;
      await show(ref);
      displayed++;
    }
    return displayed > 0 ? 0 : 1;
  },
});

async function excludeExisting(context: CommandContext, repo: Repository, pattern: string | true): Promise<number> {
  const existing = new Set((await repo.refs.list()).map(({ name }) => name));
  for await (const raw of context.stdin.lines()) {
    if (raw === "") continue;
    const line = raw.replace(/\^\{\}$/, "");
    const name = line.slice(line.search(/(?<!\S)\S+$/));
    if (pattern !== true && !name.startsWith(pattern)) continue;
    if (!isRefName(name)) context.err(`warning: ref '${name}' ignored\n`);
    else if (!existing.has(name)) context.out(`${line}\n`);
  }
  return 0;
}
