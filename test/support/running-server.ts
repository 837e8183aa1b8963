/** A server of this repository as a process of its own, on a free port and with a state of its own; dispose to end it and remove the state. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "./free-port.ts";

/** For a machine that does much else. */
const TIMEOUT_MS = 90_000;
const root = join(fileURLToPath(import.meta.url), "../../..");

export class RunningServer implements AsyncDisposable {
  private constructor(
    readonly port: number,
    readonly child: ChildProcess,
    readonly state: string,
    readonly output: () => string,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** `npm start`: local mode, behind its gate. */
  static async local(): Promise<RunningServer> {
    return RunningServer.#start((port, state) => ["scripts/start.mjs", "--port", String(port), "--state", state]);
  }

  /** The deployment with its secret, as `wrangler dev` serves it. */
  static async deployed(vars: Record<string, string>): Promise<RunningServer> {
    return RunningServer.#start((port, state) => [
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
      ...["--persist-to", state, "--show-interactive-dev-session=false"],
      ...Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
    ]);
  }

  static async #start(argsOf: (port: number, state: string) => string[]): Promise<RunningServer> {
    const port = await freePort();
    const state = mkdtempSync(join(tmpdir(), "workspace-server-"));
    const offline = {
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
      WRANGLER_SEND_METRICS: "false",
      WRANGLER_SEND_ERROR_REPORTS: "false",
    };
    const child = spawn(process.execPath, argsOf(port, state), {
      cwd: root,
      env: { ...process.env, ...offline },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    const server = new RunningServer(port, child, state, () => output);
    const giveUp = Date.now() + TIMEOUT_MS;
    // By its answers, not by its words: a tool that reloads while it starts may not say that it is ready.
    while (!(await answers(server.url))) {
      if (child.exitCode !== null || Date.now() > giveUp) {
        child.kill("SIGTERM");
        throw new Error(`it was not ready, or ended before it was:\n${output}`);
      }
      await new Promise((wake) => setTimeout(wake, 100));
    }
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.child, "close");
    this.child.kill("SIGTERM");
    await closed;
    rmSync(this.state, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/api`, { signal: AbortSignal.timeout(5000) }).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
  return response !== null && response.status !== 503;
}
