/** A workerd of our own, with its objects on disk, that can be killed and started again. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import type { Call } from "./call.ts";

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [ (name = "main", worker = .main), (name = "disk", disk = (path = "do", writable = true)) ],
  sockets = [ (name = "http", address = "127.0.0.1:0", http = (), service = "main") ],
);
const main :Workerd.Worker = (
  modules = [ (name = "worker", esModule = embed "worker.js") ],
  compatibilityDate = "2026-10-01",
  durableObjectNamespaces = [ (className = "Box", uniqueKey = "box", enableSql = true) ],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [ (name = "BOX", durableObjectNamespace = "Box") ],
);
`;

export interface Runtime<Asked = Call> extends AsyncDisposable {
  /** Where the objects' databases are. */
  readonly disk: string;
  start(): Promise<void>;
  /** SIGKILL, at once; resolves when the process is gone. */
  kill(): Promise<void>;
  /** Rejects when the runtime dies first. A failure of the object itself is a `CallError`. */
  call(object: string, call: Asked, body?: Uint8Array | ReadableStream<Uint8Array>): Promise<unknown>;
  /** What the process said on stderr, for a report. */
  readonly log: string;
}

export class CallError extends Error {
  override readonly name = "CallError";
}

/** `entry`: the module with the class `Box`, in this folder. */
export async function createRuntime<Asked = Call>(entry = "object.ts"): Promise<Runtime<Asked>> {
  // In memory where there is such a directory: a killed process loses nothing there either, and commits are ten times as many.
  const home = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "workspace-crash-"));
  await mkdir(join(home, "do"));
  await writeFile(join(home, "config.capnp"), CONFIG);
  await bundle(entry, join(home, "worker.js"));
  let child: ChildProcess | undefined;
  let port = 0;
  let log = "";

  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };

  // An interrupted run must not leave a workerd behind.
  const last = () => child?.kill("SIGKILL");
  process.once("exit", last);

  return {
    disk: join(home, "do"),
    async start() {
      const binary = createRequire(import.meta.url)("workerd").default as string;
      child = spawn(binary, ["serve", "config.capnp", "--control-fd=3"], {
        cwd: home,
        stdio: ["ignore", "ignore", "pipe", "pipe"],
      });
      child.stderr?.on("data", (data) => {
        log = `${log}${data}`.slice(-10_000);
      });
      port = await listening(child, () => log);
    },
    kill,
    async call(object, call, body) {
      const headers = { "x-call": encodeURIComponent(JSON.stringify(call)) };
      const init = { method: "POST", headers, body: body ?? "", duplex: "half" } as RequestInit;
      const response = await fetch(`http://127.0.0.1:${port}/${object}`, init);
      const text = await response.text();
      if (!response.ok) throw new CallError(`${JSON.stringify(call)}: ${response.status} ${text}\n${log}`);
      return JSON.parse(text);
    },
    get log() {
      return log;
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", last);
      await kill();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function bundle(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, entry)],
    outfile,
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    logLevel: "error",
  });
}

/** The port, from the first control message. */
async function listening(child: ChildProcess, log: () => string): Promise<number> {
  const control = child.stdio[3] as Readable;
  const exited = once(child, "exit").then(() => {
    throw new Error(`workerd did not start: ${log()}`);
  });
  exited.catch(() => {});
  let text = "";
  const ready = (async () => {
    for await (const data of control) {
      text += data;
      const message = text.match(/"port":\s*(\d+)/);
      if (message) return Number(message[1]);
    }
    throw new Error(`workerd did not say where it listens: ${text}`);
  })();
  ready.catch(() => {});
  return Promise.race([ready, exited]);
}
