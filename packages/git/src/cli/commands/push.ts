/** `git push`: prints accepted and rejected refs in git's table, with its hints. */
import { GitError } from "../../errors.ts";
import { pushHints } from "../../format/push-hints.ts";
import { pushTable } from "../../format/push-table.ts";
import type { Oid } from "../../object/oid.ts";
import { currentBranch } from "../../porcelain/branch/branch-names.ts";
import { choosePushRefs, findPushRemote } from "../../porcelain/push/choose-push-refs.ts";
import { parseLease } from "../../porcelain/push/parse-lease.ts";
import { push as pushTo } from "../../porcelain/push/push.ts";
import { trackPushed } from "../../porcelain/push/track-pushed.ts";
import type { Repository } from "../../repository.ts";
import { anonymousUrl } from "../../wire/remote-url.ts";
import { receiveFlags } from "../flags/transport-flags.ts";
import { defineCommand } from "../framework/command.ts";

export const push = defineCommand({
  name: "push",
  usage: ["git push [<options>] [<repository> [<refspec>...]]"],
  flags: {
    verbose: { short: "-v", long: "--verbose", value: "count", help: "be more verbose" },
    quiet: { short: "-q", long: "--quiet", help: "be more quiet" },
    repo: { long: "--repo", value: "string", arg: "<repository>", help: "repository" },
    all: { long: "--all", help: "push all refs" },
    mirror: { long: "--mirror", help: "mirror all refs" },
    delete: { short: "-d", long: "--delete", help: "delete refs" },
    tags: { long: "--tags", help: "push tags (can't be used with --all or --mirror)" },
    dryRun: { short: "-n", long: "--dry-run", help: "dry run" },
    porcelain: { long: "--porcelain", help: "machine-readable output" },
    force: { short: "-f", long: "--force", help: "force updates" },
    forceWithLease: {
      long: "--force-with-lease",
      value: "optional",
      arg: "<refname>:<expect>",
      help: "require old value of ref to be at this value",
    },
    setUpstream: { short: "-u", long: "--set-upstream", help: "set upstream for git pull/status" },
    progress: { long: "--progress", help: "force progress reporting" },
    prune: { long: "--prune", help: "prune locally removed refs" },
    verify: { long: "--verify", help: "bypass pre-push hook" },
    followTags: { long: "--follow-tags", help: "push missing but relevant tags" },
    atomic: { long: "--atomic", help: "request atomic transaction on remote side" },
    pushOption: {
      short: "-o",
      long: "--push-option",
      value: "list",
      arg: "<server-specific>",
      help: "option to transmit",
    },
    thin: { long: "--thin", help: "use thin pack" },
    ...receiveFlags,
  },
  async run(context, { flags, args, afterDashes, order }) {
    const repo = await context.repository();
    const words = [...args, ...(afterDashes ?? [])];
    const branch = await currentBranch(repo);
    const { name, remote } = findPushRemote(repo, words[0], branch, flags.repo || undefined);
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
    const { specs, setsUpstream: byDefault } = await choosePushRefs(repo, remote, branch, {
      refspecs: input,
      delete: flags.delete ?? false,
      all,
      tags,
      mirror,
    });
    const setsUpstream = flags.setUpstream || byDefault;
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
        for (const { branch: ours, target, message } of await trackPushed(
          repo,
          remote.name ?? name,
          refs,
          flags.dryRun,
        ))
          if (message !== null && !flags.quiet)
            context.out(
              flags.dryRun
                ? `Would set upstream of '${ours}' to '${target}' of '${remote.name ?? name}'\n`
                : `${message}\n`,
            );
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
    else named.push(await parseLease(repo, value));
  }
  return (ref: string) => named.find(({ full }) => full === ref)?.expected ?? (forAll ? "tracking" : null);
}
