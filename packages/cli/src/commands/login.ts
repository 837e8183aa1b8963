/**
 * `wsx login` and `wsx logout`: stores a server and its token. A token is verified before it is stored, and never read from argv.
 */
import type { SessionResponse } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import { Api } from "../client/api.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { readConfig, writeConfig } from "../config/config-file.ts";
import { parseServer } from "../config/settings.ts";
import { print } from "../format/print.ts";

export const login = defineCommand({
  name: "login",
  summary: "Save a server, a token and a workspace for later commands",
  flags: {
    tokenStdin: { long: "--token-stdin", value: "none", help: "Read the token from standard input" },
    noToken: { long: "--no-token", value: "none", help: "The server needs no token (local mode)" },
  },
  operands: [{ name: "url", kind: "text", optional: true }],
  notes:
    "wsx prompts for the token, or reads it from standard input or WSX_TOKEN: other users could see it on a command line. The file has mode 0600.",
  examples: [
    "wsx login https://workspace.example.workers.dev",
    "wsx login --no-token http://127.0.0.1:8787 -W demo",
    "pass show workspace | wsx login --token-stdin https://…",
  ],
  async run(context, { flags, operands: [given] }) {
    const url = given === undefined ? context.settings.url : parseServer(given);
    const token = flags.noToken ? null : await tokenFor(context, url, flags.tokenStdin === true);
    const session = await new Api(context.io, { ...context.settings, url, token }).json<SessionResponse>(
      "/api/session",
    );
    const config = await readConfig(context.io.env);
    const { [new URL(url).origin]: _, ...others } = config.tokens;
    const path = await writeConfig(context.io.env, {
      url,
      workspace: context.settings.workspace,
      tokens: token === null ? others : { ...others, [new URL(url).origin]: token },
    });
    const { workspace, readOnly, expiresAt, local, actor } = session;
    await print(context, { url, workspace: context.settings.workspace, session, config: path }, () => {
      const limits = [
        local ? "local mode, no token needed" : `signed in as ${actor}`,
        ...(workspace === undefined ? [] : [`for the workspace ${workspace} only`]),
        ...(readOnly ? ["read-only"] : []),
        ...(expiresAt === undefined ? [] : [`until ${new Date(expiresAt).toISOString()}`]),
      ];
      return `${url}: ${limits.join(", ")}\nsaved in ${path}\n`;
    });
    return 0;
  },
});

export const logout = defineCommand({
  name: "logout",
  summary: "Remove the saved token of a server",
  flags: {},
  operands: [{ name: "url", kind: "text", optional: true }],
  examples: ["wsx logout"],
  async run(context, { operands: [given] }) {
    const url = given === undefined ? context.settings.url : parseServer(given);
    const { origin } = new URL(url);
    const config = await readConfig(context.io.env);
    const { [origin]: forgotten, ...tokens } = config.tokens;
    await writeConfig(context.io.env, { ...config, tokens });
    await print(context, { url, forgotten: forgotten !== undefined }, () =>
      forgotten === undefined ? "no token was saved\n" : "removed the token\n",
    );
    return 0;
  },
});

async function tokenFor({ io }: CommandContext, url: string, fromStdin: boolean): Promise<string> {
  const token = (await readToken(io, url, fromStdin)).trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new CliError(
    "EINVAL",
    token === "" ? "the token is empty" : "not a valid token",
    "Use the secret WORKSPACE_TOKEN, or a token created with it.",
  );
}

async function readToken(io: CommandContext["io"], url: string, fromStdin: boolean): Promise<string> {
  if (!fromStdin && io.env.WSX_TOKEN) return io.env.WSX_TOKEN;
  if (!fromStdin && io.terminal.stdin) return io.askSecret(`token for ${url}: `);
  const parts: Uint8Array[] = [];
  for await (const chunk of io.stdin()) parts.push(chunk);
  return Buffer.concat(parts).toString();
}
