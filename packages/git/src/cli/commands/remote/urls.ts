/** `remote get-url` and `set-url`, and the effective URLs of a remote, after `insteadOf`. */

import { setConfigValue, unsetConfigValue } from "../../../config/edit-config.ts";
import { editConfigFile, localConfigFile } from "../../../config/write-config.ts";
import { GitError } from "../../../errors.ts";
import { hasRemote, noSuchRemote } from "../../../porcelain/remote/change-remote.ts";
import { compilePosix } from "../../../regex/posix-regex.ts";
import type { Repository } from "../../../repository.ts";
import type { CommandContext } from "../../framework/command.ts";
import { parseFlags } from "../../framework/parse-flags.ts";
import { usageText } from "../../framework/usage-text.ts";

export const getUrlTable = {
  usage: ["git remote get-url [--push] [--all] <name>"],
  flags: {
    push: { long: "--push", help: "query push URLs rather than fetch URLs" },
    all: { long: "--all", help: "return all URLs" },
  },
} as const;

export const setUrlTable = {
  usage: [
    "git remote set-url [--push] <name> <newurl> [<oldurl>]",
    "git remote set-url --add <name> <newurl>",
    "git remote set-url --delete <name> <url>",
  ],
  flags: {
    push: { long: "--push", help: "manipulate push URLs" },
    add: { long: "--add", help: "add URL" },
    delete: { long: "--delete", help: "delete URLs" },
  },
} as const;

export function urlsOf(repo: Repository, name: string): string[] {
  return repo.config.getAll(`remote.${name}.url`).map((url) => rewrite(repo, url, "insteadof"));
}

/** The push URLs: the values of `pushurl`, or of `url` rewritten by `pushInsteadOf`. */
export function pushUrls(repo: Repository, name: string): string[] {
  const own = repo.config.getAll(`remote.${name}.pushurl`);
  if (own.length > 0) return own.map((url) => rewrite(repo, url, "insteadof"));
  return repo.config.getAll(`remote.${name}.url`).map((url) => {
    const pushed = rewrite(repo, url, "pushinsteadof");
    return pushed === url ? rewrite(repo, url, "insteadof") : pushed;
  });
}

/** The longest prefix wins. */
function rewrite({ config }: Repository, url: string, key: "insteadof" | "pushinsteadof"): string {
  let best = { length: 0, base: "" };
  for (const base of config.subsections("url")) {
    for (const prefix of config.getAll(`url.${base}.${key}`)) {
      if (prefix.length > best.length && url.startsWith(prefix)) best = { length: prefix.length, base };
    }
  }
  return best.length === 0 ? url : best.base + url.slice(best.length);
}

export async function getUrl(context: CommandContext, repo: Repository, argv: readonly string[]): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(getUrlTable, argv);
  const [name, more] = [...args, ...(afterDashes ?? [])];
  if (name === undefined || more !== undefined)
    throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(getUrlTable) });
  if (!hasRemote(repo, name)) throw noSuchRemote(name);
  const urls = flags.push ? pushUrls(repo, name) : urlsOf(repo, name);
  if (urls.length === 0) throw new GitError("ENOTFOUND", `no URLs configured for remote '${name}'`);
  for (const url of flags.all ? urls : urls.slice(0, 1)) context.out(`${url}\n`);
  return 0;
}

export async function setUrl(_context: CommandContext, repo: Repository, argv: readonly string[]): Promise<number> {
  const { flags, args, afterDashes } = parseFlags(setUrlTable, argv);
  const words = [...args, ...(afterDashes ?? [])];
  if (flags.add && flags.delete) throw new GitError("EINVAL", "--add --delete doesn't make sense");
  if (words.length < 2 || words.length > 3 || (words.length === 3 && (flags.add || flags.delete))) {
    throw new GitError("EUSAGE", "", { prefix: "", hint: usageText(setUrlTable) });
  }
  const [name = "", url = "", old] = words;
  if (!hasRemote(repo, name)) throw noSuchRemote(name);
  const key = `remote.${name}.${flags.push ? "pushurl" : "url"}`;
  const present = repo.config.getAll(key);
  const target = localConfigFile(repo);
  const file = target.displayed ?? target.path;
  const edit = (change: (text: string) => string) => editConfigFile(repo.host, target, change);
  if (flags.add) await edit((text) => setConfigValue(text, key, url, { file, add: true }));
  else if (!flags.delete && old === undefined)
    await edit((text) =>
      setConfigValue(text, key, url, { file, all: false, ...(present.length > 1 ? { match: firstOnly() } : {}) }),
    );
  else {
    const pattern = compilePosix(flags.delete ? url : (old as string), { syntax: "extended" });
    const hits = present.filter((one) => pattern.test(one));
    const match = (value: string | null) => pattern.test(value ?? "");
    if (hits.length === 0) throw new GitError("ENOTFOUND", `No such URL found: ${flags.delete ? url : old}`);
    if (flags.delete) {
      if (hits.length === present.length && !flags.push)
        throw new GitError("ESTATE", "Will not delete all non-push URLs");
      await edit((text) => unsetConfigValue(text, key, { file, match, all: true }));
    } else await edit((text) => setConfigValue(text, key, url, { file, match, all: true }));
  }
  return 0;
}

/** Replaces only the first of several values. */
function firstOnly(): () => boolean {
  let seen = false;
  return () => {
    const first = !seen;
    seen = true;
    return first;
  };
}
