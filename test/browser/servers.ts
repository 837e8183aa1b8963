/**
 * The servers of the suite: `npm start` as a newcomer has it (local mode), the Worker with a token, as it is deployed, and one whose
 * commands run in a sandbox of this machine. All with a state directory that goes when the suite ends.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { freePort } from "../support/free-port.ts";
import { OFFLINE } from "../support/reference-server.ts";
import { root } from "../support/root.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the server in local mode. */
    url: string;
    /** Of the server with a token, and the token. */
    guarded: string;
    token: string;
    /** Of the server with a sandbox, which is one workspace's. */
    contained: string;
  }
}

/** Of a server that must first build the page. */
const MAX_START_MS = 120_000;
const TOKEN = "a-token-for-the-browser-suite-0123456789";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = mkdtempSync(join(tmpdir(), "workspace-browser-"));
  const children: ChildProcess[] = [];
  const start = async (args: string[], says = /ready on (http:\/\/\S+)/i) => {
    const child = run(args);
    children.push(child.process);
    return ready(child, says);
  };
  const dev = async (name: string, vars: Record<string, string>, ...more: string[]) =>
    start([
      ...["node_modules/wrangler/bin/wrangler.js", "dev", "--ip", "127.0.0.1", "--port", String(await freePort())],
      ...["--inspector-port", "0", "--persist-to", join(state, name), "--show-interactive-dev-session=false"],
      ...Object.entries(vars).flatMap(([key, value]) => ["--var", `${key}:${value}`]),
      ...more,
    ]);
  const url =
    process.env.STUDIO_URL ??
    (await start(["scripts/start.mjs", "--port", String(await freePort()), "--state", join(state, "local")]));
  // After the first: that one builds the page.
  const guarded = process.env.STUDIO_GUARDED_URL ?? (await dev("guarded", { WORKSPACE_TOKEN: TOKEN }));
  const tree = join(state, "tree");
  const daemon = await start(["scripts/sandbox.mjs", "--root", tree, "--port", "0"], /listens on (\S+),/);
  const secret = readFileSync(`${tree}.secret`, "utf8").trim();
  const contained = await dev(
    "contained",
    { WORKSPACE_LOCAL: "1", SANDBOX_ADDRESS: daemon, SANDBOX_SECRET: secret },
    "--config",
    "test/browser/sandbox.wrangler.toml",
  );
  project.provide("url", url);
  project.provide("guarded", guarded);
  project.provide("token", TOKEN);
  project.provide("contained", contained);
  return async () => {
    const gone = children.map((child) => once(child, "close"));
    for (const child of children) child.kill("SIGTERM");
    await Promise.all(gone);
    rmSync(state, { recursive: true, force: true });
  };
}

interface Running {
  process: ChildProcess;
  output: () => string;
}

function run(args: string[]): Running {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...OFFLINE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  return { process: child, output: () => output };
}

/** The address in the line that says it is ready. */
async function ready({ process: child, output }: Running, says: RegExp): Promise<string> {
  const until = Date.now() + MAX_START_MS;
  for (;;) {
    const address = says.exec(output())?.[1];
    if (address !== undefined) return address;
    if (child.exitCode !== null) throw new Error(`the server ended before it was ready:\n${output()}`);
    if (Date.now() > until) throw new Error(`the server is not ready after two minutes:\n${output()}`);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
