/**
 * The reference Worker as a process of its own, for end-to-end tests: with `scripts/start.mjs` as `npm start` runs it (local mode), or with a
 * token as it is deployed. On a port and a state directory of its own, both gone afterwards.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

export const root = join(import.meta.dirname, "../..");

export interface LocalServer extends AsyncDisposable {
  readonly url: string;
}

const OFFLINE = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
};

export async function startServer(options: { token?: string } = {}): Promise<LocalServer> {
  const state = mkdtempSync(join(tmpdir(), "workspace-e2e-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = options.token === undefined ? local(port, state) : deployed(port, state, options.token);
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...OFFLINE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  await answers(url, child, () => output);
  return {
    url,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) {
        const exited = once(child, "exit");
        child.kill("SIGTERM");
        await exited;
      }
      rmSync(state, { recursive: true, force: true });
    },
  };
}

const local = (port: number, state: string) => ["scripts/start.mjs", "--port", String(port), "--state", state];

const deployed = (port: number, state: string, token: string) => [
  ...[
    "node_modules/wrangler/bin/wrangler.js",
    "dev",
    "--ip",
    "127.0.0.1",
    "--port",
    String(port),
    "--inspector-port",
    "0",
  ],
  ...["--persist-to", state, "--var", `WORKSPACE_TOKEN:${token}`],
  ...["--show-interactive-dev-session=false", "--log-level", "warn"],
];

/** Any answer will do: without a token it is a refusal. */
async function answers(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api`).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    if (response !== null && response.status !== 503) return;
    if (child.exitCode !== null) throw new Error(`the server ended:\n${output()}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
