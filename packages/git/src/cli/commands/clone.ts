/** `git clone`. Shows progress only on request, since stderr is never a terminal here. */

import { adviceEnabled } from "../../config/advice.ts";
import { approximateSeconds } from "../../date/approxidate.ts";
import { type LocalTime, localTime } from "../../date/local-time.ts";
import { GitError } from "../../errors.ts";
import { clone as makeClone } from "../../porcelain/clone.ts";
import { findCloneTarget, isCopied, refuseOccupied } from "../../porcelain/clone-target.ts";
import { addressFlags, cloneOnlyFlags, uploadFlags } from "../flags/transport-flags.ts";
import { defineCommand } from "../framework/command.ts";
import { detachedAdvice } from "./checkout/switch-to.ts";

export const clone = defineCommand({
  name: "clone",
  usage: ["git clone [<options>] [--] <repo> [<dir>]"],
  flags: {
    verbose: { short: "-v", long: "--verbose", value: "count", help: "be more verbose" },
    quiet: { short: "-q", long: "--quiet", help: "be more quiet" },
    progress: { long: "--progress", help: "force progress reporting" },
    noCheckout: { short: "-n", long: "--no-checkout", help: "don't create a checkout" },
    bare: { long: "--bare", help: "create a bare repository" },
    mirror: { long: "--mirror", help: "create a mirror repository (implies bare)" },
    local: { short: "-l", long: "--local", help: "to clone from a local repository" },
    template: {
      long: "--template",
      value: "string",
      arg: "<template-directory>",
      help: "directory from which templates will be used",
    },
    origin: {
      short: "-o",
      long: "--origin",
      value: "string",
      arg: "<name>",
      help: "use <name> instead of 'origin' to track upstream",
    },
    branch: {
      short: "-b",
      long: "--branch",
      value: "string",
      arg: "<branch>",
      help: "checkout <branch> instead of the remote's HEAD",
    },
    depth: { long: "--depth", value: "string", arg: "<depth>", help: "create a shallow clone of that depth" },
    shallowSince: {
      long: "--shallow-since",
      value: "string",
      arg: "<time>",
      help: "create a shallow clone since a specific time",
    },
    shallowExclude: {
      long: "--shallow-exclude",
      value: "list",
      arg: "<revision>",
      help: "deepen history of shallow clone, excluding rev",
    },
    singleBranch: { long: "--single-branch", help: "clone only one branch, HEAD or --branch" },
    tags: { long: "--tags", help: "don't clone any tags, and make later fetches not to follow them" },
    config: {
      short: "-c",
      long: "--config",
      value: "list",
      arg: "<key=value>",
      help: "set config inside the new repository",
    },
    filter: { long: "--filter", value: "string", arg: "<args>", help: "object filtering" },
    jobs: { short: "-j", long: "--jobs", value: "number", arg: "<n>", help: "number of submodules cloned in parallel" },
    naked: { long: "--naked", help: "create a bare repository", hidden: true },
    ...cloneOnlyFlags,
    ...uploadFlags,
    ...addressFlags,
  },
  async run(context, { flags, args, afterDashes }) {
    const words = [...args, ...(afterDashes ?? [])];
    const [requested, input] = words;
    if (requested === undefined)
      throw new GitError("EUSAGE", "You must specify a repository to clone.", { prefix: "fatal" });
    if (words.length > 2) throw new GitError("EUSAGE", "Too many arguments.", { prefix: "fatal" });
    const mirror = flags.mirror ?? false;
    const bare = (flags.bare ?? flags.naked ?? false) || mirror;
    if (flags.origin === "") throw new GitError("EINVAL", "'' is not a valid remote name");
    const { host } = context;
    const target = await findCloneTarget(host, context.cwd, { url: requested, directory: input, bare });
    const { url, displayed, directory } = target;
    const depths = deepening(flags, localTime(host, context.env));
    await refuseOccupied(host, target);
    if (!flags.quiet)
      context.err(bare ? `Cloning into bare repository '${displayed}'...\n` : `Cloning into '${displayed}'...\n`);
    if (flags.alsoFilterSubmodules && !flags.filter)
      throw new GitError("EINVAL", "the option '--also-filter-submodules' requires '--filter'");
    const isNear = target.localPath !== null && flags.local !== false;
    const isLocal = isNear && (await isCopied(host, target));
    if (isNear)
      for (const name of ignoredLocally(flags))
        context.err(`warning: ${name} is ignored in local clones; use file:// instead.\n`);
    // A depth implies a single branch, even where the depth is ignored.
    const singleBranch = flags.singleBranch ?? (isLocal && !mirror && "deepen" in depths ? true : undefined);
    const { repo, head, isEmpty } = await makeClone(host, {
      url,
      directory,
      bare,
      mirror,
      cwd: context.cwd,
      commandConfig: context.open.config,
      env: context.env,
      err: (text) => context.err(text),
      ...(flags.progress ? { progress: (text: string) => context.err(text) } : {}),
      ...(flags.origin ? { origin: flags.origin } : {}),
      ...(flags.branch ? { branch: flags.branch } : {}),
      ...(singleBranch === undefined ? {} : { singleBranch }),
      ...(flags.tags === undefined ? {} : { tags: flags.tags }),
      checkout: !flags.noCheckout,
      ...(isLocal ? {} : depths),
      ...(flags.rejectShallow === undefined ? {} : { rejectShallow: flags.rejectShallow }),
      ...(flags.filter && !isLocal ? { filter: flags.filter } : {}),
      config: [...(flags.config ?? []).map(setting), ...submoduleConfig(flags)],
    });
    if (isEmpty && !flags.quiet) context.err("warning: You appear to have cloned an empty repository.\n");
    if (isLocal && !flags.quiet) context.err("done.\n");
    if (head === null && !isEmpty && !bare && !flags.noCheckout)
      context.err("warning: remote HEAD refers to nonexistent ref, unable to checkout\n");
    if ((flags.recurseSubmodules || flags.recursive) && (await host.fs.exists(`${directory}/.gitmodules`)))
      context.err("warning: submodules are left alone here: they were not cloned\n");
    if (
      head !== null &&
      head.branch === null &&
      !bare &&
      !flags.noCheckout &&
      adviceEnabled(repo.config, "detachedHead")
    ) {
      context.err(detachedAdvice((await repo.refs.resolve("HEAD"))?.oid ?? head.oid));
    }
    return 0;
  },
});

/** Options that a local clone ignores, since it has all objects. */
function ignoredLocally(flags: {
  depth?: string | false;
  shallowSince?: string | false;
  shallowExclude?: readonly string[];
  filter?: string | false;
}): string[] {
  return [
    ...(flags.depth ? ["--depth"] : []),
    ...(flags.shallowSince ? ["--shallow-since"] : []),
    ...(flags.shallowExclude?.length ? ["--shallow-exclude"] : []),
    ...(flags.filter ? ["--filter"] : []),
  ];
}

function deepening(
  {
    depth,
    shallowSince,
    shallowExclude,
  }: { depth?: string | false; shallowSince?: string | false; shallowExclude?: readonly string[] },
  time: LocalTime,
) {
  if (!depth && !shallowSince && !shallowExclude?.length) return {};
  const count = depth ? Number(depth) : undefined;
  if (count !== undefined && !(Number.isInteger(count) && count > 0))
    throw new GitError("EINVAL", `depth ${depth} is not a positive number`);
  const since = shallowSince ? approximateSeconds(shallowSince, time) : undefined;
  return {
    deepen: {
      ...(count === undefined ? {} : { depth: count }),
      ...(since === undefined ? {} : { since }),
      ...(shallowExclude?.length ? { not: shallowExclude } : {}),
    },
  };
}

/** Only sets the configuration that `submodule update` reads; submodules are not cloned. */
function submoduleConfig({
  recurseSubmodules,
  recursive,
}: {
  recurseSubmodules?: string | boolean;
  recursive?: string | boolean;
}): { key: string; value: string }[] {
  const requested = recurseSubmodules ?? recursive;
  return requested ? [{ key: "submodule.active", value: requested === true ? "." : requested }] : [];
}

function setting(text: string): { key: string; value: string } {
  const equals = text.indexOf("=");
  return equals < 0 ? { key: text, value: "true" } : { key: text.slice(0, equals), value: text.slice(equals + 1) };
}
