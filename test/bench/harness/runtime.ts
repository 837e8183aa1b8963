/** One workerd process with on-disk storage in a temporary folder, driven by HTTP on loopback. Dispose to end and remove both. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { className, type Entrant } from "../participants.ts";
import type { Command } from "../worker/bench-object.ts";
import { BenchError } from "./bench-error.ts";
import { bundleWorker } from "./bundle-worker.ts";
import { NativeObjects } from "./native-objects.ts";

const START_TIMEOUT_MS = 30_000;
const LOG_CHARACTERS = 4000;

/** Every workerd that is not disposed yet, and its folder: they end with this process, also when a signal ends it. */
const running = new Map<ChildProcess, string>();
process.once("SIGINT", () => process.exit(130));
process.once("SIGTERM", () => process.exit(143));
process.once("exit", () => {
  for (const [child, folder] of running) {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
});

export interface Reply {
  error?: string;
  [field: string]: unknown;
}

export class Runtime implements AsyncDisposable {
  readonly #native: NativeObjects;

  private constructor(
    readonly folder: string,
    readonly process: ChildProcess,
    readonly origin: string,
    /** The last of what workerd said. */
    readonly log: () => string,
  ) {
    this.#native = new NativeObjects(join(folder, "native"));
  }

  static async start(bench: string, workerd: string, all: readonly Entrant[]): Promise<Runtime> {
    const entrants = all.filter((entrant) => !entrant.native);
    const folder = mkdtempSync(join(tmpdir(), "workspace-bench-"));
    try {
      mkdirSync(join(folder, "storage"));
      await bundleWorker(bench, entrants, join(folder, "worker.js"));
      writeFileSync(join(folder, "config.capnp"), config(entrants, join(folder, "storage")));
      return await Runtime.#launch(folder, workerd);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  static async #launch(folder: string, workerd: string): Promise<Runtime> {
    const child = spawn(workerd, ["serve", "config.capnp", "--control-fd=3"], {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    running.set(child, folder);
    let log = "";
    const keep = (data: Buffer) => {
      log = (log + data).slice(-LOG_CHARACTERS);
    };
    child.stdout?.on("data", keep);
    child.stderr?.on("data", keep);
    try {
      const port = await portOf(child, child.stdio[3] as Readable);
      return new Runtime(folder, child, `http://127.0.0.1:${port}`, () => log);
    } catch (error) {
      throw new BenchError(`workerd did not start: ${error instanceof Error ? error.message : error}\n${log}`, {
        cause: error,
      });
    }
  }

  /** Sends one command; the milliseconds are those of the whole request, durability included. */
  async send(entrant: Entrant, object: string, command: Command): Promise<Reply & { outside: number }> {
    const start = performance.now();
    if (entrant.native) {
      const reply = await this.#native.perform(entrant.id, object, command);
      return { ...reply, outside: performance.now() - start };
    }
    const response = await fetch(`${this.origin}/${className(entrant)}/${object}`, {
      method: "POST",
      body: JSON.stringify(command),
    }).catch((error) => {
      throw new BenchError(`workerd does not answer (${entrant.id}, ${command.do}): ${error}\n${this.log()}`, {
        cause: error,
      });
    });
    const text = await response.text();
    const outside = performance.now() - start;
    if (response.headers.get("content-type")?.includes("json")) return { ...JSON.parse(text), outside };
    return { error: text, outside };
  }

  /** The object's memory is gone afterwards, with `empty` its storage too. workerd answers an aborted object with a 500. */
  async end(entrant: Entrant, object: string, how: "restart" | "empty"): Promise<void> {
    await this.send(entrant, object, { do: how });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    running.delete(this.process);
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    if (this.process.exitCode === null && this.process.kill("SIGKILL")) await ended;
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** workerd reports each socket it listens on as a line of JSON. */
function portOf(child: ChildProcess, control: Readable): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready after ${START_TIMEOUT_MS / 1000} s`)), START_TIMEOUT_MS);
    let text = "";
    control.on("data", (data) => {
      text += data;
      const line = text.split("\n").find((candidate) => candidate.includes('"listen"'));
      if (line && text.includes("\n")) resolve(JSON.parse(line).port);
    });
    child.once("error", reject);
    child.once("exit", (code, signal) => reject(new Error(`it ended with ${signal ?? code}`)));
    control.once("data", () => clearTimeout(timer));
    child.once("exit", () => clearTimeout(timer));
  });
}

function config(entrants: readonly Entrant[], storage: string): string {
  const namespaces = entrants.map(
    (entrant) =>
      `(className = "${className(entrant)}", uniqueKey = "${entrant.id}", enableSql = true, preventEviction = true)`,
  );
  const bindings = entrants.map(
    (entrant) => `(name = "${className(entrant)}", durableObjectNamespace = "${className(entrant)}")`,
  );
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .bench),
    (name = "internet", network = (allow = ["public", "private"])),
    (name = "disk", disk = (path = ${JSON.stringify(storage)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
  v8Flags = ["--expose-gc"],
);

const bench :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [
    ${namespaces.join(",\n    ")},
  ],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [
    ${bindings.join(",\n    ")},
  ],
);
`;
}
