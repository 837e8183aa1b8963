/**
 * Resolves server, workspace and token: from flags, then the environment, then the configuration of `wsx login`, then the local
 * server.
 */
import { CliError } from "../cli-error.ts";
import type { GlobalFlags } from "../flags/flag-table.ts";
import type { Io } from "../io.ts";
import { readConfig } from "./config-file.ts";

export interface Settings {
  /** The origin, with a path if the server is mounted below one; no trailing slash. */
  readonly url: string;
  readonly workspace: string;
  /** Null: none, as in local mode. */
  readonly token: string | null;
}

const LOCAL = "http://127.0.0.1:8787";
const DEFAULT_WORKSPACE = "demo";

export async function loadSettings(env: Io["env"], flags: GlobalFlags): Promise<Settings> {
  const config = await readConfig(env);
  const url = parseServer(flags.url ?? nonEmpty(env.WSX_URL) ?? config.url ?? LOCAL);
  const workspace = flags.workspace ?? nonEmpty(env.WSX_WORKSPACE) ?? config.workspace ?? DEFAULT_WORKSPACE;
  // A token is sent only to the server it was stored for: --url alone never sends it elsewhere.
  const token = nonEmpty(env.WSX_TOKEN) ?? config.tokens[new URL(url).origin] ?? null;
  return { url, workspace: parseWorkspace(workspace), token };
}

export function parseServer(text: string): string {
  const full = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (url === null || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new CliError(
      "EINVAL",
      `"${text}" is not the address of a server`,
      "Write it as https://host or http://127.0.0.1:8787.",
    );
  }
  return `${url.origin}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}

export function parseWorkspace(name: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(name) && !/^\.+$/.test(name)) return name;
  throw new CliError(
    "EINVAL",
    `"${name}" is not a workspace's name`,
    "1 to 64 of A-Z a-z 0-9 . _ - and not only dots.",
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
