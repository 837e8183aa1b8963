/** `git push`: prints accepted and rejected refs in git's table, with its hints. */
import { GitError } from "../../errors.ts";
import { pushHints } from "../../format/push-hints.ts";
import { pushTable } from "../../format/push-table.ts";
import { type Oid, parseOid, ZERO_OID } from "../../object/oid.ts";
import { currentBranch } from "../../porcelain/branch/branch-names.ts";
import { followTarget } from "../../porcelain/branch/track-branch.ts";
import { defaultRefspecs } from "../../porcelain/push/default-refspecs.ts";
import { mappedRefspecs } from "../../porcelain/push/mapped-refspec.ts";
import { push as pushTo } from "../../porcelain/push/push.ts";
import type { Repository } from "../../repository.ts";
import { pushRemote } from "../../revision/branch-mark.ts";
import { findRevision } from "../../revision/find-revision.ts";
import { parseRefspec } from "../../wire/refspec.ts";
import { remoteConfig } from "../../wire/remote-config.ts";
import { anonymousUrl } from "../../wire/remote-url.ts";
import { receiveFlags } from "../flags/transport-flags.ts";
import { defineCommand } from "../framework/command.ts";

export const push = defineCommand({
  name: "push",
  usage: ["git push [<options>] [<repository> [<refspec>...]]"],
  flags: {
    verbose: { short: "-v", long: "--verbose", value: "count", help: "be more verbose" },
    quiet: { short: "-q", long: "--quiet", value: "none", help: "be more quiet" },
    repo: { long: "--repo", value: "string", arg: "<repository>", help: "repository" },
    all: { long: "--all", value: "none", help: "push all refs" },
    mirror: { long: "--mirror", value: "none", help: "mirror all refs" },
    delete: { short: "-d", long: "--delete", value: "none", help: "delete refs" },
    tags: { long: "--tags", value: "none", help: "push tags (can't be used with --all or --mirror)" },
    dryRun: { short: "-n", long: "--dry-run", value: "none", help: "dry run" },
    porcelain: { long: "--porcelain", value: "none", help: "machine-readable output" },
    force: { short: "-f", long: "--force", value: "none", help: "force updates" },
    forceWithLease: {
      long: "--force-with-lease",
      value: "optional",
      arg: "<refname>:<expect>",
      help: "require old value of ref to be at this value",
    },
    setUpstream: { short: "-u", long: "--set-upstream", value: "none", help: "set upstream for git pull/status" },
    progress: { long: "--progress", value: "none", help: "force progress reporting" },
    prune: { long: "--prune", value: "none", help: "prune locally removed refs" },
    verify: { long: "--verify", value: "none", help: "bypass pre-push hook" },
    followTags: { long: "--follow-tags", value: "none", help: "push missing but relevant tags" },
    atomic: { long: "--atomic", value: "none", help: "request atomic transaction on remote side" },
    pushOption: {
      short: "-o",
      long: "--push-option",
      value: "list",
      arg: "<server-specific>",
      help: "option to transmit",
    },
    thin: { long: "--thin", value: "none", help: "use thin pack" },
    ...receiveFlags,
  },
  async run(context, { flags, args, afterDashes, order }) {
    const repo = await context.repository();
    const words = [...args, ...(afterDashes ?? [])];
    const branch = await currentBranch(repo);
    const name = words[0] ?? (flags.repo || undefined) ?? pushRemote(repo, branch ?? "");
    const remote = remoteConfig(repo.config, name);
    if (
      words[0] === undefined &&
      remote.name === null &&
      !repo.config.subsections("remote").includes(name) &&
      name === "origin"
    )
      throw noDestination();
    const mirror = (flags.mirror ?? false) || remote.mirror;
    const { all = false, tags = false } = flags;
    if (flags.delete && (all || mirror || tags)) throw together("--delete", "--all/--mirror/--tags");
    const input = joinTags(words.slice(1), flags.delete ?? false);
    if (flags.delete && input.length === 0)
      throw new GitError("EINVAL", "--delete doesn't make sense without any refs");
    if (all && tags) throw together("--all", "--tags");
    if (mirror && tags) throw together("--mirror", "--tags");
    if (all && mirror) throw together("--all", "--mirror");
    if (all && input.length > 0) throw new GitError("EINVAL", "--all can't be combined with refspecs");
    if (mirror && input.length > 0) throw new GitError("EINVAL", "--mirror can't be combined with refspecs");
    if (flags.delete && input.some((text) => text === "" || text.includes(":")))
      throw new GitError("EINVAL", "--delete only accepts plain target ref names");
    const texts = [
      ...(flags.delete ? input.map((text) => `:${text}`) : await mappedRefspecs(repo, remote, input)),
      ...(all ? ["refs/heads/*:refs/heads/*"] : []),
      ...(tags ? ["refs/tags/*:refs/tags/*"] : []),
      ...(mirror ? ["+refs/*:refs/*"] : []),
    ];
    const byDefault = texts.length === 0;
    const usual = byDefault && remote.push.length === 0 ? await defaultRefspecs(repo, remote, branch) : null;
    const specs = usual?.refspecs ?? (byDefault ? remote.push : texts.map((text) => parseRefspec(text, "push")));
    const setsUpstream = flags.setUpstream || usual?.setsUpstream;
    let code = 0;
    for (const url of remote.pushUrls) {
      if ((flags.verbose ?? 0) > 0) context.err(`Pushing to ${anonymousUrl(url)}\n`);
      const refs = await pushTo(repo, {
        cwd: context.cwd,
        remote,
        url,
        refspecs: specs,
        force: flags.force ?? false,
        atomic: flags.atomic ?? false,
        dryRun: flags.dryRun ?? false,
        prune: (flags.prune ?? false) || mirror,
        followTags: flags.followTags ?? repo.config.getBool("push.followtags") ?? false,
        quiet: flags.quiet ?? false,
        thin: flags.thin ?? true,
        noVerify: flags.verify === false,
        pushOptions: flags.pushOption ?? configuredOptions(repo),
        ...(flags.forceWithLease ? { lease: await leases(repo, order) } : {}),
        ifIncludes: flags.forceIfIncludes ?? repo.config.getBool("push.useforceifincludes") ?? false,
        err: (text) => context.err(text),
        ...(flags.progress ? { progress: (text: string) => context.err(text) } : {}),
      });
      const displayed = anonymousUrl(url);
      const rejected = refs.filter(({ kind }) => kind === "rejected" || kind === "remote-rejected");
      const table = await pushTable(repo, displayed, refs, {
        verbose: (flags.verbose ?? 0) > 0,
        porcelain: flags.porcelain ?? false,
      });
      if (!flags.quiet || rejected.length > 0) (flags.porcelain ? context.out : context.err)(table);
      if ((flags.verbose ?? 0) > 0)
        for (const { tracking } of refs)
          if (tracking !== undefined) context.err(`updating local tracking ref '${tracking}'\n`);
      if (flags.porcelain) context.out("Done\n");
      if (setsUpstream)
        await track(context, repo, remote.name ?? name, refs, {
          quiet: flags.quiet ?? false,
          dryRun: flags.dryRun ?? false,
        });
      const moved = refs.some(({ kind }) => kind !== "same" && kind !== "rejected" && kind !== "remote-rejected");
      if (rejected.length > 0) {
        context.err(`error: failed to push some refs to '${displayed}'\n${pushHints(repo.config, rejected, branch)}`);
        code = 1;
      } else if (!moved && !flags.quiet) context.err("Everything up-to-date\n");
    }
    return code;
  },
});

/** `push.pushOption`, repeatable; an empty value clears the earlier ones. */
function configuredOptions({ config }: Repository): string[] {
  const options = config.getAll("push.pushoption");
  return options.slice(options.lastIndexOf("") + 1);
}

async function track(
  context: { out(text: string): void },
  repo: Repository,
  remote: string,
  refs: Awaited<ReturnType<typeof pushTo>>,
  { quiet, dryRun }: { quiet: boolean; dryRun: boolean },
): Promise<void> {
  const head = await repo.refs.read("HEAD");
  for (const { source: typed, target, to, kind } of refs) {
    const source = typed === "HEAD" && head?.kind === "symbolic" ? head.target : typed;
    if (
      to === ZERO_OID ||
      kind === "rejected" ||
      kind === "remote-rejected" ||
      !source?.startsWith("refs/heads/") ||
      !target.startsWith("refs/heads/")
    )
      continue;
    const [branch, there] = [source, target].map((ref) => ref.slice("refs/heads/".length)) as [string, string];
    const reported = dryRun
      ? `Would set upstream of '${branch}' to '${there}' of '${remote}'`
      : await followTarget(repo, branch, { remote, merge: target });
    if (reported !== null && !quiet) context.out(`${reported}\n`);
  }
}

function joinTags(words: readonly string[], deletes: boolean): string[] {
  const joined: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word !== "tag") joined.push(word);
    else {
      const tag = words[++i];
      if (tag === undefined) throw new GitError("EINVAL", "tag shorthand without <tag>");
      joined.push(deletes ? `refs/tags/${tag}` : `refs/tags/${tag}:refs/tags/${tag}`);
    }
  }
  return joined;
}

function together(one: string, other: string): GitError {
  return new GitError("EINVAL", `options '${one}' and '${other}' cannot be used together`);
}

/** `--force-with-lease` for all, `=ref` and `=ref:expected`, repeatable; the first that names a ref decides. */
async function leases(repo: Repository, order: readonly { readonly name: string; readonly value: string | boolean }[]) {
  let forAll = false;
  let named: { full: string; expected: Oid | "tracking" }[] = [];
  for (const { value } of order.filter(({ name }) => name === "forceWithLease")) {
    if (value === false) named = [];
    if (typeof value === "boolean") forAll = value;
    else named.push(await leaseOf(repo, value));
  }
  return (ref: string) => named.find(({ full }) => full === ref)?.expected ?? (forAll ? "tracking" : null);
}

async function leaseOf(repo: Repository, value: string): Promise<{ full: string; expected: Oid | "tracking" }> {
  const colon = value.indexOf(":");
  const name = colon < 0 ? value : value.slice(0, colon);
  const full = name.startsWith("refs/") ? name : `refs/heads/${name}`;
  const text = colon < 0 ? null : value.slice(colon + 1);
  if (text === null) return { full, expected: "tracking" };
  const expected = text === "" ? ZERO_OID : (parseOid(text) ?? (await findRevision(repo, text, {}))?.oid);
  if (expected === undefined)
    throw new GitError("EINVAL", `cannot parse expected object name '${text}'`, { prefix: "error", exitCode: 129 });
  return { full, expected };
}

function noDestination(): GitError {
  return new GitError(
    "EINVAL",
    "No configured push destination.\nEither specify the URL from the command-line or configure a remote repository using\n\n    git remote add <name> <url>\n\nand then push using the remote name\n\n    git push <name>\n",
  );
}
