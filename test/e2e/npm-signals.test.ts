/**
 * How `npm start` ends when a supervisor or CI ends it: by a signal to the npm process alone. The real npm, wrangler and workerd; every
 * process that they start carries a mark in its environment, so none can hide.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { root } from "../support/root.ts";

const state = mkdtempSync(join(tmpdir(), "workspace-signals-"));
const MARK = "WORKSPACE_SIGNALS_TEST";

afterAll(() => {
  for (const pid of marked(MARK)) process.kill(pid, "SIGKILL");
  rmSync(state, { recursive: true, force: true });
});

/** Processes whose environment contains the text. */
function marked(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "latin1").includes(text);
      } catch {
        return false;
      }
    });
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

interface Npm {
  child: ChildProcess;
  port: number;
  /** Its part of the mark. */
  mark: string;
}

async function npmStart(): Promise<Npm> {
  const port = await freePort();
  const mark = `${MARK}=${port}\0`;
  const env = { ...process.env, [MARK]: String(port) };
  const args = ["start", "--", "--port", String(port), "--state", state];
  const child = spawn("npm", args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  return { child, port, mark };
}

async function ready({ child }: Npm): Promise<void> {
  let output = "";
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
    output += chunk;
    if (/ready on http/.test(output)) return;
  }
  throw new Error(`npm start ended before it was ready:\n${output}`);
}

/** Resolves when no process with the mark is left, and names those that stay. */
async function allGone({ mark }: Npm): Promise<void> {
  for (let turn = 0; ; turn++) {
    const left = marked(mark);
    if (left.length === 0) return;
    if (turn === 600) throw new Error(`still running:\n${left.map(commandLine).join("\n")}`);
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  const listens = await Promise.race([
    once(server, "listening").then(() => true),
    once(server, "error").then(() => false),
  ]);
  server.close();
  return listens;
}

// The environment of another process is read from /proc.
describe.skipIf(process.platform !== "linux")("npm start and signals", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"] as const)(
    "npm start leaves no process behind after %s to npm alone",
    { timeout: 1_800_000 },
    async (signal) => {
      const npm = await npmStart();
      await ready(npm);
      expect(marked(npm.mark).map(commandLine).join("\n")).toContain("workerd");
      const ended = once(npm.child, "exit");
      npm.child.kill(signal);
      await ended;
      // npm waits for its child where it can forward the signal, so the next server may start at once.
      if (signal === "SIGTERM" || signal === "SIGINT") expect(await isFree(npm.port)).toBe(true);
      await allGone(npm);
      expect(await isFree(npm.port)).toBe(true);
    },
  );

  it("npm start leaves no process behind when SIGTERM comes while it starts", { timeout: 1_800_000 }, async () => {
    for (const what of ["node scripts/start.mjs", "local/serve.mjs", "workerd"]) {
      const npm = await npmStart();
      npm.child.stdout?.resume();
      while (!marked(npm.mark).map(commandLine).join("\n").includes(what))
        await new Promise((wake) => setTimeout(wake, 10));
      npm.child.kill("SIGTERM");
      await allGone(npm);
    }
  });
});
