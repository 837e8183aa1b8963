/** README's commands, run as they stand there against a server started as README says; and its blocks of code are the examples' own. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");

const OFFLINE = { ...process.env, WRANGLER_SEND_METRICS: "false", WRANGLER_SEND_ERROR_REPORTS: "false" };

it("README.md and docs/differences.md are made from the examples and the list of differences", () => {
  execFileSync(process.execPath, ["scripts/documents.mjs", "--check"], { cwd: root });
});

it("README.md's links lead to files that are there", () => {
  const links = [...readme.matchAll(/\]\((?!http)([^)#]+)\)/g)].map((match) => match[1] as string);
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) execFileSync("ls", ["-d", join(root, link)]);
});

it("README.md's commands for curl do what it says", { timeout: 240_000 }, async () => {
  const block = /```sh\n(curl [\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const commands = block.trim().split("\n");
  expect(commands).toHaveLength(4);
  const state = mkdtempSync(join(tmpdir(), "workspace-readme-"));
  const port = await freePort();
  const server = spawn(process.execPath, ["scripts/start.mjs", "--port", String(port), "--state", state], {
    cwd: root,
  });
  try {
    await ready(server);
    const [put, range, list, remove] = commands.map(
      (command) => () => run(command.replaceAll("127.0.0.1:8787", `127.0.0.1:${port}`)),
    );
    expect(put?.()).toMatch(/^HTTP\/1.1 201 /m);
    const part = range?.() ?? "";
    expect(part).toMatch(/^HTTP\/1.1 206 /);
    expect(part.endsWith(`\r\n\r\n${readme.slice(0, 11)}`)).toBe(true);
    expect(bodyOf(list?.() ?? "")).toMatchObject({ entries: [{ name: "README.md", type: "file" }] });
    expect(remove?.()).toMatch(/^HTTP\/1.1 204 /);
    expect(JSON.parse(run(`curl -s http://127.0.0.1:${port}/api/w/demo/files/`))).toMatchObject({ entries: [] });

    const [write, grep, exec, git, history, undo] = linesOf("sh http").map(
      (command) => () => run(command.replaceAll("127.0.0.1:8787", `127.0.0.1:${port}`)),
    );
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
    const left = JSON.parse(run(`curl -s http://127.0.0.1:${port}/api/w/demo/files/`)) as {
      entries: { name: string }[];
    };
    expect(left.entries.map(({ name }) => name)).toEqual([".git"]);
  } finally {
    server.kill("SIGTERM");
    await once(server, "exit");
    rmSync(state, { recursive: true, force: true });
  }
});

it("README.md's deployment is one that wrangler takes, with the page built before it", { timeout: 120_000 }, () => {
  const [studio, deploy, secret] = linesOf("sh deploy");
  expect([studio, secret]).toEqual(["npm run build:studio", 'npx wrangler secret put WORKSPACE_TOKEN --env=""']);
  const containers = linesOf("sh deploy-containers");
  expect(containers[0]).toBe("npm run build:studio");
  expect(containers.filter((line) => line.startsWith("npx")).every((line) => line.endsWith("--env containers"))).toBe(
    true,
  );
  run(studio as string);
  const out = mkdtempSync(join(tmpdir(), "workspace-deploy-"));
  const told = run(`${deploy} --dry-run --outdir ${out} 2>&1`);
  rmSync(out, { recursive: true, force: true });
  expect(told).toMatch(/Read \d+ files from the assets directory/);
  for (const binding of ["WORKSPACE", "REGISTRY", "MCP_SESSION", "ASSETS"]) expect(told).toContain(`env.${binding}`);
  expect(told).not.toMatch(/WARNING|ERROR/);
});

it("README.md names commands of package.json only", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  const named = [...readme.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map((match) => match[1] as string);
  expect(named).toEqual(
    expect.arrayContaining(["precommit", "check", "test:browser", "test:container", "bench", "build:studio"]),
  );
  for (const name of named) expect(Object.keys(scripts)).toContain(name);
});

/** The lines of the block with this mark. */
function linesOf(mark: string): string[] {
  const block = new RegExp(`\`\`\`${mark}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1] ?? "";
  return block.trim().split("\n");
}

function bodyOf(response: string): unknown {
  return JSON.parse(response.slice(response.indexOf("\r\n\r\n")));
}

/** Through a shell, as a reader would; where there is no curl, the four forms that README uses are played by fetch in another process. */
function run(command: string): string {
  const shell =
    hasCurl() || !command.startsWith("curl ")
      ? command
      : `${process.execPath} ${join(import.meta.dirname, "curl.mjs")} ${command.slice("curl ".length)}`;
  return execFileSync("sh", ["-c", shell], { cwd: root, encoding: "utf8", env: OFFLINE });
}

function hasCurl(): boolean {
  try {
    execFileSync("sh", ["-c", "command -v curl"]);
    return true;
  } catch {
    return false;
  }
}

async function ready(server: ReturnType<typeof spawn>): Promise<void> {
  let output = "";
  await new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on("data", (chunk) => {
        output += chunk;
        if (/ready on http/i.test(output)) resolve();
      });
    }
    server.once("exit", () => reject(new Error(output)));
  });
}
