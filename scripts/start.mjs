// Serves the reference Worker on this machine: `npm start`, or `npm start -- --port 9000 --state /tmp/state`. Plain Node 20, no
// dependencies of its own.
// This is the only place that enables local mode (WORKSPACE_LOCAL=1). Wrangler (packages/worker/local/serve.mjs) listens on its own
// port; packages/worker/local/host-check-proxy.mjs, which explains why, is in front of it on the public port.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startHostCheckProxy } from "../packages/worker/local/host-check-proxy.mjs";
import { buildStudio } from "./build-studio.mjs";
import { projectNode } from "./project-node.mjs";
import { supervise } from "./supervise.mjs";

const USAGE = `usage: npm start -- [--port 8787] [--state .wrangler/state]
  --port   where it listens, on 127.0.0.1; also the variable PORT
  --state  the directory that keeps the workspaces`;
const root = fileURLToPath(new URL("..", import.meta.url));
const { port, state } = options();
const key = randomBytes(32).toString("hex");
const upstreamPort = await freePort();
const gate = await startHostCheckProxy({ port, upstreamPort, key }).catch(cannotListen);
if (!buildStudio()) console.error("The studio could not be built (see above); the API works without it.");

supervise(startWrangler, () => {
  gate.close();
  gate.closeAllConnections();
});
await answers();
console.log(welcome());

function options() {
  try {
    const { values } = parseArgs({
      options: { port: { type: "string" }, state: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      console.log(USAGE);
      return process.exit(0);
    }
    const number = Number(values.port ?? process.env.PORT ?? 8787);
    if (!Number.isInteger(number) || number < 1 || number > 65535)
      throw new Error("the port is a number from 1 to 65535");
    return { port: number, state: resolve(root, values.state ?? ".wrangler/state") };
  } catch (error) {
    console.error(`${error.message}\n${USAGE}`);
    return process.exit(2);
  }
}

function cannotListen(error) {
  if (error.code !== "EADDRINUSE") console.error(`Cannot listen on 127.0.0.1:${port}: ${error.message}`);
  else
    console.error(
      `Port ${port} is taken, perhaps by another \`npm start\`. Stop that, or: npm start -- --port ${port === 65535 ? 8787 : port + 1}`,
    );
  return process.exit(1);
}

/** A free port. If another process takes it before wrangler does, wrangler reports that and exits. */
function freePort() {
  return new Promise((done, failed) => {
    const probe = createServer().once("error", failed);
    probe.listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => done(free));
    });
  });
}

function startWrangler() {
  const env = {
    ...process.env,
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_SEND_ERROR_REPORTS: "false",
  };
  const child = spawn(projectNode(), [`${root}packages/worker/local/serve.mjs`], {
    cwd: root,
    env,
    stdio: ["pipe", "inherit", "inherit"],
  });
  child.stdin.end(JSON.stringify({ port: upstreamPort, state, key, logLevel: process.env.WRANGLER_LOG ?? "warn" }));
  return child;
}

/** Waits for the Worker without a timeout: wrangler prints an error in it, and rebuilds when it is fixed. */
async function answers() {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/api`).catch(() => null);
    await response?.arrayBuffer().catch(() => null);
    if (response?.ok) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

function welcome() {
  const url = `http://127.0.0.1:${port}`;
  const files = `${url}/api/w/demo/files`;
  const retained = relative(root, state).startsWith("..") ? state : relative(root, state);
  return `
Workspace is ready on ${url} (local mode: this machine only, no token)

  studio  ${url} in a browser

  write   curl -T README.md ${files}/README.md
  read    curl ${files}/README.md
  list    curl ${files}/
  more    curl ${url}

Files are stored in ${retained}. Ctrl-C stops it.`;
}
