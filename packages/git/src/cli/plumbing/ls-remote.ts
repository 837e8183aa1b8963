/** `git ls-remote`. */

import type { GitConfig } from "../../config/git-config.ts";
import { GitError } from "../../errors.ts";
import { currentBranch } from "../../porcelain/branch/branch-names.ts";
import { compareVersions } from "../../porcelain/ref-filter/version-compare.ts";
import { findConfiguration } from "../../repository/find-configuration.ts";
import { compareText } from "../../text/bytes.ts";
import { wildmatch } from "../../text/wildmatch.ts";
import { openUpload } from "../../wire/open-connection.ts";
import { defaultRemote, remoteConfig } from "../../wire/remote-config.ts";
import { anonymousUrl } from "../../wire/remote-url.ts";
import { uploadFlags } from "../flags/transport-flags.ts";
import { defineCommand } from "../framework/command.ts";

export const lsRemote = defineCommand({
  name: "ls-remote",
  usage: [
    "git ls-remote [--heads] [--tags] [--refs] [--upload-pack=<exec>]\n              [-q | --quiet] [--exit-code] [--get-url] [--sort=<key>]\n              [--symref] [<repository> [<refs>...]]",
  ],
  flags: {
    quiet: { short: "-q", long: "--quiet", help: "do not print remote URL" },
    tags: { short: "-t", long: "--tags", help: "limit to tags" },
    heads: { short: "-h", long: "--heads", help: "limit to heads" },
    refs: { long: "--refs", help: "do not show peeled tags" },
    getUrl: { long: "--get-url", help: "take url.<base>.insteadOf into account" },
    exitCode: { long: "--exit-code", help: "exit with exit code 2 if no matching refs are found" },
    sort: { long: "--sort", value: "list", arg: "<key>", help: "field name to sort on" },
    ...uploadFlags,
    symref: { long: "--symref", help: "show underlying ref in addition to the object pointed by it" },
  },
  async run(context, { flags, args, afterDashes }) {
    const [named, ...patterns] = [...args, ...(afterDashes ?? [])];
    const position = await findConfiguration(context.host, context.open);
    const branch = position.repo === null ? null : await currentBranch(position.repo);
    const name = named ?? defaultRemote(position.config, branch);
    const isKnown = position.config.subsections("remote").includes(name);
    if (named === undefined && !isKnown) throw new GitError("EINVAL", "No remote configured to list refs from.");
    const remote = remoteConfig(position.config, name);
    if (flags.getUrl) {
      context.out(`${remote.url}\n`);
      return 0;
    }
    const connecting = {
      host: context.host,
      config: position.config,
      limits: position.limits,
      env: context.env,
      cwd: context.cwd,
    };
    const connection = await openUpload(connecting, remote.url, (text) => context.err(text));
    const prefixes = [...(flags.heads ? ["refs/heads/"] : []), ...(flags.tags ? ["refs/tags/"] : [])];
    const refs = await connection.listRefs(prefixes.length > 0 && patterns.length === 0 ? { prefixes } : {});
    if (named === undefined && !flags.quiet) context.err(`From ${anonymousUrl(remote.url)}\n`);
    let displayed = 0;
    const show = (oid: string, ref: string) => {
      if (flags.heads && !flags.tags && !ref.startsWith("refs/heads/")) return;
      if (flags.tags && !flags.heads && !ref.startsWith("refs/tags/")) return;
      if (flags.tags && flags.heads && !/^refs\/(?:heads|tags)\//.test(ref)) return;
      if (patterns.length > 0 && !patterns.some((pattern) => wildmatch(`*/${pattern}`, `/${ref}`, {}))) return;
      displayed++;
      context.out(`${oid}\t${ref}\n`);
    };
    const listed: { ref: string; oid: string; target?: string | undefined }[] = refs.flatMap(
      ({ name: ref, oid, peeled, target }) => {
        if (oid === null || (flags.refs && !ref.startsWith("refs/"))) return [];
        return [{ ref, oid, target }, ...(peeled && !flags.refs ? [{ ref: `${ref}^{}`, oid: peeled }] : [])];
      },
    );
    const order = flags.sort?.length ? sorter(flags.sort, position.config) : null;
    for (const { ref, oid, target } of order === null ? listed : listed.sort((a, b) => order(a.ref, b.ref))) {
      if (flags.symref && target !== undefined) show(`ref: ${target}`, ref);
      show(oid, ref);
    }
    return displayed === 0 && flags.exitCode ? 2 : 0;
  },
});

/** Sorts by name, the only key known without the objects. Names are unique, so the last key, which has priority, decides. */
function sorter(keys: readonly string[], config: GitConfig): (a: string, b: string) => number {
  const [, sign, version] = /^(-?)(version:|v:)?refname$/.exec(keys.at(-1) as string) ?? [];
  if (sign === undefined)
    throw new GitError("EUNSUPPORTED", `--sort=${keys.at(-1)} is not supported here: use refname or version:refname`);
  const suffixes = config.getAll("versionsort.suffix");
  const compare = (a: string, b: string) => (version ? compareVersions(a, b, suffixes) : 0) || compareText(a, b);
  return sign === "-" ? (a, b) => compare(b, a) : compare;
}
