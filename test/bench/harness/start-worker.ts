/** One Worker in a workerd of its own, with storage on disk, on a free port. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { freePort } from "../../support/free-port.ts";

export interface Deployment {
  /** What the Worker is made from, from the repository's root. */
  entry: string;
  /** Binding → class. */
  objects: Readonly<Record<string, string>>;
  text?: Readonly<Record<string, string>>;
  /** It may reach this machine, which workerd otherwise refuses. */
  loopback?: true;
}

export interface Running extends AsyncDisposable {
  origin: string;
  pid: number;
  /** How workerd ended and what it last said; null while it runs. */
  end(): string | null;
}

const REQUIRE = 'import { createRequire } from "node:module"; const require = createRequire("/");';

export async function startWorker(root: string, deployment: Deployment): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), "bench-worker-"));
  const port = await freePort();
  const { outputFiles } = await build({
    entryPoints: [join(root, deployment.entry)],
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2024",
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["workerd", "worker", "import"],
    external: ["cloudflare:*", "node:*"],
    alias: Object.fromEntries(
      builtinModules.filter((name) => !name.startsWith("node:")).map((name) => [name, `node:${name}`]),
    ),
    banner: { js: REQUIRE },
    logLevel: "error",
  });
  const script = outputFiles[0]?.contents ?? new Uint8Array();
  writeFileSync(join(folder, "worker.js"), script);
  writeFileSync(join(folder, "config.capnp"), configOf(deployment, port, folder));
  const workerd = spawn(
    join(root, "node_modules/.bin/workerd"),
    ["serve", "--experimental", join(folder, "config.capnp")],
    { stdio: ["ignore", "inherit", "pipe"] },
  );
  let reported = "";
  workerd.stderr.on("data", (data) => {
    process.stderr.write(data);
    reported = (reported + String(data)).slice(-RETAINED);
  });
  const end = () => {
    const how = workerd.signalCode ?? workerd.exitCode;
    return how === null ? null : `workerd ended (${how}): ${reported.trim() || "it said nothing"}`;
  };
  const origin = `http://127.0.0.1:${port}`;
  await answers(origin, end);
  return {
    origin,
    pid: workerd.pid ?? 0,
    end,
    async [Symbol.asyncDispose]() {
      if (end() === null) {
        const exited = once(workerd, "exit");
        workerd.kill();
        await exited;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Of what workerd says, for the message when it ends. */
const RETAINED = 4000;

const LOOPBACK = ', (name = "internet", network = (allow = ["private"]))';

const configOf = ({ objects, text = {}, loopback }: Deployment, port: number, folder: string) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "disk", disk = (path = "${folder}", writable = true))${loopback ? LOOPBACK : ""}],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-10-01",
  bindings = [${[
    ...Object.entries(objects).map(
      ([name, className]) => `(name = "${name}", durableObjectNamespace = "${className}")`,
    ),
    ...Object.entries(text).map(([name, value]) => `(name = "${name}", text = "${value}")`),
  ].join(", ")}],
  durableObjectNamespaces = [${Object.values(objects)
    .map((name) => `(className = "${name}", uniqueKey = "${name}", enableSql = true)`)
    .join(", ")}],
  durableObjectStorage = (localDisk = "disk"),
);
`;

async function answers(origin: string, end: () => string | null): Promise<void> {
  for (;;) {
    const response = await fetch(origin, { method: "POST", body: "{}" }).catch(() => null);
    await response?.arrayBuffer();
    if (response !== null) return;
    const ended = end();
    if (ended !== null) throw new Error(ended);
    await new Promise((wake) => setTimeout(wake, 50));
  }
}
