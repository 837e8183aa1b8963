/** The reference Worker in a process of its own, on a free port, with its own state directory. Disposing ends it and removes the state. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { root } from "./root.ts";

export const OFFLINE = {
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
};

export class ReferenceServer implements AsyncDisposable {
  private constructor(
    readonly port: number,
    readonly child: ChildProcess,
    readonly state: string,
    readonly output: () => string,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** As `npm start` runs it: local mode, behind the proxy that checks hosts. */
  static async local(): Promise<ReferenceServer> {
    return ReferenceServer.#start((port, state) => ["scripts/start.mjs", "--port", String(port), "--state", state]);
  }

  /** As it is deployed: with these variables, served by `wrangler dev`. */
  static async deployed(vars: Record<string, string>): Promise<ReferenceServer> {
    return ReferenceServer.#start((port, state) => [
      ...["node_modules/wrangler/bin/wrangler.js", "dev", "--ip", "127.0.0.1", "--port", String(port)],
      ...["--inspector-port", "0", "--persist-to", state, "--show-interactive-dev-session=false"],
      ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
    ]);
  }

  static async #start(argvFor: (port: number, state: string) => string[]): Promise<ReferenceServer> {
    const port = await freePort();
    const state = mkdtempSync(join(tmpdir(), "workspace-server-"));
    const child = spawn(process.execPath, argvFor(port, state), {
      cwd: root,
      env: { ...process.env, ...OFFLINE },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const server = new ReferenceServer(port, child, state, () => output);
    // It is ready when it answers; the test's own timeout ends a wait that lasts too long.
    while (!(await answers(server.url))) {
      if (!server.#isRunning) throw new Error(`the server ended before it was ready:\n${output}`);
      await new Promise((wake) => setTimeout(wake, 50));
    }
    return server;
  }

  get #isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isRunning) {
      const closed = once(this.child, "close");
      this.child.kill("SIGTERM");
      await closed;
    }
    rmSync(this.state, { recursive: true, force: true });
  }
}

/** A response of any kind: without a token it is an error. */
async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
  return response !== null && response.status !== 503;
}
