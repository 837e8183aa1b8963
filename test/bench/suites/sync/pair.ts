/** A workspace in workerd and a daemon of its own, over loopback. What fails says which of the two ended, and what it said last. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import type { Running } from "../../harness/start-worker.ts";
import type { SyncWork } from "./sync-worker.ts";

export const BUNDLE = "workspaced.mjs";

/** Of what the daemon says, for the message when it ends. */
const RETAINED = 4000;

export class Pair implements AsyncDisposable {
  readonly root: string;
  readonly #worker: Running;
  readonly #name: string;
  readonly #daemon: RunningDaemon;

  private constructor(worker: Running, name: string, daemon: RunningDaemon) {
    this.#worker = worker;
    this.#name = name;
    this.#daemon = daemon;
    this.root = daemon.root;
  }

  static async start(base: string, worker: Running, name: string): Promise<Pair> {
    return new Pair(worker, name, await startDaemon(base, name));
  }

  /** How many milliseconds it took. */
  async do(work: Omit<SyncWork, "address">): Promise<number> {
    const started = performance.now();
    const body = JSON.stringify({ ...work, address: this.#daemon.address });
    try {
      const { status, text } = await post(`${this.#worker.origin}/${this.#name}`, body);
      if (status !== 200) throw new Error(`${status} ${text}`);
    } catch (cause) {
      // The exit of a failed process is reported by now.
      await new Promise((resolve) => setTimeout(resolve, 200));
      const ends = [this.#worker.end(), this.#daemon.end()].filter((end) => end !== null);
      const why = ends.length > 0 ? ends.join("; ") : "workerd and the daemon still run";
      throw new Error(`${this.#name}: "${work.do}" failed: ${(cause as Error).message}; ${why}`, { cause });
    }
    return performance.now() - started;
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#daemon[Symbol.asyncDispose]();
  }
}

/** On a new connection: workerd closes an idle one after a few seconds, which this process may notice too late. */
function post(url: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method: "POST", agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => (text += chunk));
      response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.once("error", reject);
    });
    asking.once("error", reject);
    asking.end(body);
  });
}

export interface RunningDaemon extends AsyncDisposable {
  root: string;
  address: string;
  /** How it ended and what it last said; null while it runs. */
  end(): string | null;
}

export async function startDaemon(base: string, name: string): Promise<RunningDaemon> {
  const root = join(base, name);
  mkdirSync(root);
  const child = spawn(process.execPath, [join(base, BUNDLE), "--claim", "--root", root, "--port", "0"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let reported = "";
  child.stderr.on("data", (data) => (reported = (reported + String(data)).slice(-RETAINED)));
  const end = () => {
    const how = child.signalCode ?? child.exitCode;
    return how === null ? null : `the daemon ended (${how}): ${reported.trim() || "it said nothing"}`;
  };
  return {
    root,
    address: `127.0.0.1:${await portOf(child, end)}`,
    end,
    async [Symbol.asyncDispose]() {
      if (end() === null) {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function portOf(child: ChildProcess, end: () => string | null): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.on("data", (data) => {
      const match = /127\.0\.0\.1:(\d+)/.exec(String(data));
      if (match) resolve(match[1] as string);
    });
    child.once("exit", () => reject(new Error(end() ?? "the daemon ended")));
  });
}
