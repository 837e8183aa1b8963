/** The parts of `git remote` that query the server: update, prune, set-head --auto, and the data for `show`. */
import { GitError } from "../../../errors.ts";
import { danglingSymrefs, staleRefs } from "../../../porcelain/fetch/prune-refs.ts";
import { remoteNames } from "../../../porcelain/remote/change-remote.ts";
import { prettyRefName } from "../../../refs/ref-name.ts";
import { reflogIdentity } from "../../../repository/identity.ts";
import type { Repository } from "../../../repository.ts";
import type { RemoteRef } from "../../../wire/advertisement.ts";
import { openUpload } from "../../../wire/open-connection.ts";
import { remoteConfig } from "../../../wire/remote-config.ts";
import type { CommandContext } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { usageText } from "../../framework/usage-text.ts";
import { fetchAndPrint } from "../fetch/fetch-and-print.ts";
import { fetchArguments } from "../fetch/fetch-flags.ts";

export const pruneTable = {
  usage: ["git remote prune [<options>] <name>"],
  flags: { dryRun: { short: "-n", long: "--dry-run", help: "dry run" } },
} as const;

export const updateTable = {
  usage: ["git remote update [<options>] [<group> | <remote>]..."],
  flags: { prune: { short: "-p", long: "--prune", help: "prune remotes after fetching" } },
} as const;

export async function askRemote(
  context: CommandContext,
  repo: Repository,
  name: string,
): Promise<readonly RemoteRef[]> {
  const { url } = remoteConfig(repo.config, name);
  const connection = await openUpload({ ...repo, cwd: context.cwd }, url, (text) => context.err(text));
  return connection.listRefs();
}

/** The branch that the remote's HEAD points to. */
export function headBranch(refs: readonly RemoteRef[]): string | null {
  const head = refs.find(({ name }) => name === "HEAD");
  const named = head?.target ?? refs.find(({ name, oid }) => name.startsWith("refs/heads/") && oid === head?.oid)?.name;
  return head?.oid && named ? named.replace(/^refs\/heads\//, () => "") : null;
}

export async function pruneRemotes(
  context: CommandContext,
  repo: Repository,
  argv: readonly string[],
): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(pruneTable, argv);
  const names = [...args, ...(afterDashes ?? [])];
  if (names.length === 0) throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(pruneTable) });
  for (const name of names) {
    const there = await askRemote(context, repo, name);
    const { fetch: refspecs, url } = remoteConfig(repo.config, name);
    const stale = (await staleRefs(repo, refspecs, there)).map((ref) => ref.name);
    if (stale.length === 0) continue;
    context.out(`Pruning ${name}\nURL: ${url}\n`);
    const gone = stale.map((ref) => ({ name: ref, to: null, noDeref: true }));
    if (!flags.dryRun) await repo.refs.update(gone, reflogIdentity(repo));
    for (const ref of stale) context.out(` * [${flags.dryRun ? "would prune" : "pruned"}] ${prettyRefName(ref)}\n`);
    for (const ref of await danglingSymrefs(repo, stale))
      context.out(` ${ref} ${flags.dryRun ? "will become" : "has become"} dangling!\n`);
  }
  return 0;
}

export async function updateRemotes(
  context: CommandContext,
  repo: Repository,
  argv: readonly string[],
): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(updateTable, argv);
  const words = [...args, ...(afterDashes ?? [])];
  const group = (name: string) =>
    repo.config.getAll(`remotes.${name}`).flatMap((list) => list.split(/\s+/).filter(Boolean));
  const skipped = (name: string) => repo.config.getBool(`remote.${name}.skipdefaultupdate`) === true;
  const byDefault = () => {
    const listed = group("default");
    return listed.length > 0 ? listed : remoteNames(repo).filter((name) => !skipped(name));
  };
  const known = new Set(remoteNames(repo));
  const named = words.flatMap((word) => {
    const members = word === "default" ? byDefault() : group(word);
    if (members.length === 0 && !known.has(word))
      throw new GitError("ENOTFOUND", `no such remote or remote group: ${word}`, { exitCode: 1 });
    return members.length > 0 ? members : [word];
  });
  const remotes = words.length === 0 ? byDefault() : named;
  const own = flags.prune === undefined ? [] : [flags.prune ? "--prune" : "--no-prune"];
  const isAll = words.length === 0 && group("default").length === 0;
  return fetchAndPrint(
    context,
    parseFlags(fetchArguments, isAll ? [...own, "--all"] : ["--multiple", ...own, ...remotes]),
  );
}

export async function setHeadAuto(context: CommandContext, repo: Repository, name: string): Promise<number> {
  const branch = headBranch(await askRemote(context, repo, name));
  if (branch === null)
    throw new GitError("ENOTFOUND", "Cannot determine remote HEAD", { prefix: "error", exitCode: 1 });
  const target = `refs/remotes/${name}/${branch}`;
  if (!(await repo.refs.resolve(target))?.oid)
    throw new GitError("ENOTFOUND", `Not a valid ref: ${target}`, { prefix: "error", exitCode: 1 });
  const update = { name: `refs/remotes/${name}/HEAD`, to: { symbolic: target }, message: "remote set-head" };
  await repo.refs.update([update], reflogIdentity(repo));
  context.out(`${name}/HEAD set to ${branch}\n`);
  return 0;
}
