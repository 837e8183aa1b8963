/** Addresses of repositories: which are supported, which are refused, and `url.<base>.insteadOf`. */

import type { GitConfig } from "../config/git-config.ts";
import { GitError } from "../errors.ts";
import { absolutePath } from "../text/absolute-path.ts";

export type RemoteUrl =
  | {
      readonly kind: "http";
      readonly url: string;
      readonly origin: string;
      readonly username?: string;
      readonly password?: string;
    }
  | { readonly kind: "file"; readonly path: string };

/** Replaces the longest prefix that an `insteadOf` names; for a push `pushInsteadOf` takes precedence. */
export function rewriteUrl(config: GitConfig, url: string, forPush = false): string {
  const rewritten = forPush ? replacePrefix(config, url, "pushinsteadof") : null;
  return rewritten ?? replacePrefix(config, url, "insteadof") ?? url;
}

function replacePrefix(config: GitConfig, url: string, variable: string): string | null {
  let longest = "";
  let base: string | null = null;
  for (const candidate of config.subsections("url")) {
    for (const prefix of config.getAll(`url.${candidate}.${variable}`)) {
      if (!url.startsWith(prefix) || prefix.length <= longest.length) continue;
      longest = prefix;
      base = candidate;
    }
  }
  return base === null ? null : base + url.slice(longest.length);
}

/** A path, not an address: as in `git clone ../other`. */
export function isPath(text: string): boolean {
  return !/^[a-z][a-z0-9+.-]*:\/\//i.test(text) && !/^[A-Za-z0-9][A-Za-z0-9+.-]*::/.test(text) && !isScp(text);
}

export function parseRemoteUrl(text: string, cwd: string): RemoteUrl {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return httpUrl(text);
  if (scheme === "file") return { kind: "file", path: decodePath(text.slice("file://".length)) };
  if (scheme === "git")
    throw new GitError("EUNSUPPORTED", `the git:// protocol is not supported here: use https for '${text}'`);
  if (scheme === "ssh" || scheme === "git+ssh" || scheme === "ssh+git" || isScp(text))
    throw new GitError("EUNSUPPORTED", `ssh is not supported here: use the https address of '${text}'`);
  const helper = /^([A-Za-z0-9][A-Za-z0-9+.-]*)::/.exec(text)?.[1];
  if (helper !== undefined) throw new GitError("EUNSUPPORTED", `remote helper '${helper}' is not supported here`);
  if (scheme !== undefined) throw new GitError("EUNSUPPORTED", `Unable to find remote helper for '${scheme}'`);
  return { kind: "file", path: absolutePath(text, cwd) };
}

function httpUrl(text: string): RemoteUrl {
  let url: URL;
  try {
    url = new URL(text);
  } catch (cause) {
    throw new GitError(
      "EINVAL",
      `unable to access '${anonymousUrl(text)}/': URL using bad/illegal format or missing URL`,
      {
        cause,
      },
    );
  }
  const { username, password } = url;
  url.username = "";
  url.password = "";
  return {
    kind: "http",
    url: url.href.replace(/(?<!\/)\/+$/, ""),
    origin: url.origin,
    ...(username === "" ? {} : { username: decodePath(username) }),
    ...(password === "" ? {} : { password: decodePath(password) }),
  };
}

/** `host:path`, without a slash before the colon. */
function isScp(text: string): boolean {
  const colon = text.indexOf(":");
  return colon > 0 && !text.slice(0, colon).includes("/");
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The URL for users, logs and merge messages: without user and password. */
export function anonymousUrl(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, (_, scheme: string) => scheme);
}

/** `transfer.credentialsInUrl`: a password in an address causes a warning, or is refused before any request. */
export function checkCredentialsInUrl(config: GitConfig, url: string, print?: (text: string) => void): void {
  const requested = config.get("transfer.credentialsinurl") ?? "allow";
  if (requested !== "allow" && requested !== "warn" && requested !== "die")
    throw new GitError("EINVAL", `unrecognized value transfer.credentialsInUrl: '${requested}'`);
  const redacted = url.replace(
    /^([a-z][a-z0-9+.-]*:\/\/[^/:@]*):[^/]*@/i,
    (_, before: string) => `${before}:<redacted>@`,
  );
  if (requested === "allow" || redacted === url) return;
  const text = `URL '${redacted}' uses plaintext credentials`;
  if (requested === "die") throw new GitError("EINVAL", text);
  print?.(`warning: ${text}\n`);
}
