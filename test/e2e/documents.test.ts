/** Runs the commands of README and the guide as they stand there, against servers started as the documents say. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/free-port.ts";
import { ReferenceServer } from "../support/reference-server.ts";
import { root } from "../support/root.ts";
import { commandLines } from "./document-blocks.ts";

const readme = readFileSync(join(root, "README.md"), "utf8");
const scratch = mkdtempSync(join(tmpdir(), "workspace-documents-"));
const OFFLINE = {
  ...process.env,
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
};

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("the generated parts of the documents are up to date", () => {
  execFileSync(process.execPath, ["scripts/documents.mjs", "--check"], { cwd: root });
});

describe("the commands for a running server", () => {
  let server: ReferenceServer;
  beforeAll(async () => {
    server = await ReferenceServer.local();
  }, 240_000);
  afterAll(() => server[Symbol.asyncDispose]());

  /** One function per line of the block: it runs the line against this server and returns what it printed. */
  const commands = (file: string, info: string) =>
    commandLines(file, info).map(
      (line) => () =>
        run(line.replaceAll("http://127.0.0.1:8787", server.url), { WSX_URL: server.url, XDG_CONFIG_HOME: scratch }),
    );
  const names = () =>
    (jsonBody(run(`curl -i -s ${server.url}/api/w/demo/files/`)) as { entries: { name: string }[] }).entries.map(
      ({ name }) => name,
    );

  it("docs/guide/http-api.md: files", () => {
    const [put, range, list, remove] = commands("docs/guide/http-api.md", "sh http-files");
    expect(put?.()).toMatch(/^HTTP\/1.1 201 /m);
    const part = range?.() ?? "";
    expect(part).toMatch(/^HTTP\/1.1 206 /);
    expect(part.endsWith(`\r\n\r\n${readme.slice(0, 11)}`)).toBe(true);
    expect(jsonBody(list?.() ?? "")).toMatchObject({ entries: [{ name: "README.md", type: "file" }] });
    expect(remove?.()).toMatch(/^HTTP\/1.1 204 /);
    expect(names()).toEqual([]);
  });

  it("docs/guide/http-api.md: search, a command, git, history and undo", () => {
    const [write, grep, exec, git, history, undo] = commands("docs/guide/http-api.md", "sh http");
    write?.();
    const found = (grep?.() ?? "")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(found).toHaveLength(4);
    expect(found[0]).toMatchObject({ type: "hit", path: "/workspace/README.md" });
    expect(found[3]).toMatchObject({ type: "end", truncated: true });
    expect(exec?.()).toContain(String(readme.split("\n").length - 1));
    expect(JSON.parse(git?.() ?? "")).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(history?.() ?? "").groups).toContainEqual(expect.objectContaining({ callId: "first" }));
    expect(JSON.parse(undo?.() ?? "")).toMatchObject({ total: 1, conflicts: [] });
    expect(names()).toEqual([".git"]);
  });

  it("README.md: HTTP and wsx", () => {
    const [put, grep, exec, history] = commands("README.md", "sh try-http");
    put?.();
    expect(grep?.()).toContain('"path":"/workspace/README.md"');
    expect(exec?.().trim()).toBe(String(readme.split("\n").length - 1));
    expect(history?.()).toContain("README.md");
  });
});

it("README.md: the two commands to begin with are scripts of package.json", () => {
  // npm-start.test.ts runs the first; this is the second.
  expect(commandLines("README.md", "sh start").map((line) => line.split("#")[0]?.trim())).toEqual([
    "npm start",
    "npm test",
  ]);
});

it.each([
  ["docs/guide/library.md", "sh agent-dev", "hello", "- hello\n"],
  ["docs/guide/binding.md", "sh binding-dev", "", "hi"],
])("%s: wrangler dev serves the example", { timeout: 1_800_000 }, async (file, info, path, answer) => {
  const port = await freePort();
  const script = commandLines(file, info)
    .join(" && ")
    .replace(/--port \d+/, `--port ${port}`);
  const state = join(scratch, info.replace(" ", "-"));
  const server = startGroup(`${script} --persist-to ${state} --inspector-port 0 --show-interactive-dev-session=false`);
  try {
    expect(await firstAnswer(`http://127.0.0.1:${port}/${path}`, server)).toBe(answer);
  } finally {
    await server.stop();
  }
});

it("docs/guide/containers.md: the daemon prints its address and writes its secret", { timeout: 120_000 }, async () => {
  const [line = ""] = commandLines("docs/guide/containers.md", "sh daemon");
  const tree = join(scratch, "sandbox");
  const daemon = startGroup(`${line.replace("/tmp/sandbox", tree)} --port 0`);
  try {
    while (!/listens on 127\.0\.0\.1:\d+/.test(daemon.output())) {
      if (daemon.child.exitCode !== null) throw new Error(daemon.output());
      await new Promise((wake) => setTimeout(wake, 50));
    }
    expect(statSync(`${tree}.secret`).mode & 0o777).toBe(0o600);
    expect(existsSync(tree)).toBe(true);
  } finally {
    await daemon.stop();
  }
});

it("docs/guide/deploy.md: wrangler accepts the deployment, with the page built before it", {
  timeout: 120_000,
}, () => {
  const [studio, deploy, secret] = commandLines("docs/guide/deploy.md", "sh deploy");
  expect([studio, secret]).toEqual(["npm run build:studio", 'npx wrangler secret put WORKSPACE_TOKEN --env=""']);
  const containers = commandLines("docs/guide/deploy.md", "sh deploy-containers");
  expect(containers[0]).toBe("npm run build:studio");
  expect(containers.filter((line) => line.startsWith("npx")).every((line) => line.endsWith("--env containers"))).toBe(
    true,
  );
  run(studio as string);
  const out = join(scratch, "deploy");
  const printed = run(`${deploy} --dry-run --outdir ${out} 2>&1`);
  expect(printed).toMatch(/Read \d+ files from the assets directory/);
  for (const binding of ["WORKSPACE", "REGISTRY", "ASSETS"]) expect(printed).toContain(`env.${binding}`);
  expect(printed).not.toMatch(/WARNING|ERROR/);
});

function jsonBody(response: string): unknown {
  return JSON.parse(response.slice(response.indexOf("\r\n\r\n")));
}

/** Through a shell, as a reader would; on a machine without curl, curl.mjs does its part with fetch. */
function run(command: string, env: Record<string, string> = {}): string {
  const shell =
    hasCurl() || !command.startsWith("curl ")
      ? command
      : `${process.execPath} ${join(import.meta.dirname, "curl.mjs")} ${command.slice("curl ".length)}`;
  return execFileSync("sh", ["-c", shell], {
    cwd: root,
    encoding: "utf8",
    env: { ...OFFLINE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function hasCurl(): boolean {
  try {
    execFileSync("sh", ["-c", "command -v curl"]);
    return true;
  } catch {
    return false;
  }
}

interface Group {
  readonly child: ChildProcess;
  output(): string;
  stop(): Promise<void>;
}

/** A command line in a process group of its own, so that everything it started ends with it. */
function startGroup(script: string): Group {
  const env = { ...OFFLINE, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` };
  const child = spawn("sh", ["-c", script], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  return {
    child,
    output: () => output,
    async stop() {
      if (child.exitCode !== null) return;
      const exited = once(child, "exit");
      process.kill(-(child.pid as number), "SIGKILL");
      await exited;
    },
  };
}

async function firstAnswer(url: string, { child, output }: Group): Promise<string> {
  for (;;) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return response.text();
    await response?.arrayBuffer().catch(() => null);
    if (child.exitCode !== null) throw new Error(output());
    await new Promise((wake) => setTimeout(wake, 100));
  }
}
