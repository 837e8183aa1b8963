/** Configuration of a remote; an address or a path is a remote without a name. */
import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import { parseRefspec, type Refspec } from "./refspec.ts";
import { rewriteUrl } from "./remote-url.ts";

export interface RemoteConfig {
  /** Null: an address was given. */
  readonly name: string | null;
  /** As written, before `insteadOf`. */
  readonly writtenUrl: string;
  /** Where to fetch from. */
  readonly url: string;
  /** Where to push to, at least one. */
  readonly pushUrls: readonly string[];
  readonly fetch: readonly Refspec[];
  readonly push: readonly Refspec[];
  /** `remote.<name>.tagOpt`: "--tags", "--no-tags" or nothing. */
  readonly tags: "all" | "none" | "follow";
  readonly prune: boolean;
  readonly pruneTags: boolean;
  readonly mirror: boolean;
  /** Filter of a partial clone; null: it is not one. */
  readonly filter: string | null;
}

export function remoteConfig(config: GitConfig, name: string): RemoteConfig {
  const key = (variable: string) => `remote.${name}.${variable}`;
  const isNamed = config.subsections("remote").includes(name);
  const isKnown = isNamed && config.getAll(key("url")).length > 0;
  const urls = isKnown ? config.getAll(key("url")) : [name];
  const written = urls[0] as string;
  if (name === "") throw new GitError("EINVAL", "bad repository ''");
  const pushed = isKnown ? config.getAll(key("pushurl")) : [];
  const tagOpt = config.get(key("tagopt"));
  const bool = (variable: string, fallback: string) =>
    config.getBool(key(variable)) ?? config.getBool(fallback) ?? false;
  return {
    name: isKnown ? name : null,
    writtenUrl: written,
    url: rewriteUrl(config, written),
    pushUrls:
      pushed.length > 0
        ? pushed.map((url) => rewriteUrl(config, url))
        : urls.map((url) => rewriteUrl(config, url, true)),
    fetch: isNamed ? config.getAll(key("fetch")).map((text) => parseRefspec(text, "fetch")) : [],
    push: isNamed ? config.getAll(key("push")).map((text) => parseRefspec(text, "push")) : [],
    tags: tagOpt === "--tags" ? "all" : tagOpt === "--no-tags" ? "none" : "follow",
    prune: bool("prune", "fetch.prune"),
    pruneTags: bool("prunetags", "fetch.prunetags"),
    mirror: config.getBool(key("mirror")) ?? false,
    filter: config.getBool(key("promisor")) ? (config.get(key("partialclonefilter")) ?? "blob:none") : null,
  };
}

/** The remote of the branch that is checked out, or the only one, or "origin". */
export function defaultRemote(config: GitConfig, branch: string | null): string {
  const configured = branch === null ? undefined : config.get(`branch.${branch}.remote`);
  if (configured !== undefined) return configured;
  const remotes = config.subsections("remote");
  return remotes.length === 1 ? (remotes[0] as string) : "origin";
}
