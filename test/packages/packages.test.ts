/**
 * The three tarballs as a user meets them: packed, installed into a project outside the checkout, type-checked under the settings that
 * people have, served by wrangler, loaded by vitest and Node, and run from a global install.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeBlock } from "../e2e/document-blocks.ts";
import { freePort } from "../support/free-port.ts";
import { root } from "../support/root.ts";
import { startBytes, uploadedKiB } from "./measure-size.ts";

const OFFLINE = {
  ...process.env,
  CI: "true",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_SEND_ERROR_REPORTS: "false",
};

let project = "";
let tarballs: Record<"workspace" | "fs-tools" | "workspace-cli", string>;

beforeAll(() => {
  execFileSync(process.execPath, ["scripts/pack.mjs", "--tarballs"], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const packed = readdirSync(join(root, "dist")).filter((name) => name.endsWith(".tgz"));
  const named = (name: string) => {
    const file = packed.find((each) => new RegExp(`^cloudflare-${name}-\\d`).test(each));
    if (file === undefined) throw new Error(`there is no tarball of ${name} among ${packed.join(" ")}`);
    return join(root, "dist", file);
  };
  tarballs = { workspace: named("workspace"), "fs-tools": named("fs-tools"), "workspace-cli": named("workspace-cli") };
  project = mkdtempSync(join(tmpdir(), "workspace-consumer-"));
  cpSync(join(import.meta.dirname, "consumer"), project, { recursive: true });
  npm(["ci"]);
  npm(["install", "--no-save", "--no-package-lock", tarballs.workspace, tarballs["fs-tools"]]);
}, 600_000);

afterAll(() => {
  if (project !== "") rmSync(project, { recursive: true, force: true });
});

function npm(args: string[]): void {
  const { status, stderr } = spawnSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: project,
    encoding: "utf8",
  });
  expect({ args, status, stderr: status === 0 ? "" : stderr }).toEqual({ args, status: 0, stderr: "" });
}

/** A program of the user's project, under the Node that runs this test. */
function run(program: string, args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(join(project, "node_modules/.bin", program), args, {
    cwd: project,
    encoding: "utf8",
    env: OFFLINE,
  });
  return { status, output: `${stdout}${stderr}` };
}

describe("the tarballs", () => {
  it.each(["workspace", "fs-tools", "workspace-cli"] as const)("%s passes publint", (name) => {
    expect(run("publint", ["--strict", tarballs[name]])).toMatchObject({
      status: 0,
      output: expect.stringContaining("All good!"),
    });
  });

  it.each(["workspace", "fs-tools"] as const)("%s passes arethetypeswrong for ESM", (name) => {
    const { status, output } = run("attw", ["--profile", "esm-only", tarballs[name]]);
    expect(status, output).toBe(0);
  });

  it("the tarballs hold a README, a license and built files, no sources and no tests", () => {
    for (const file of Object.values(tarballs)) {
      const names = execFileSync("tar", ["tzf", file], { encoding: "utf8" }).trim().split("\n");
      expect(names).toEqual(expect.arrayContaining(["package/README.md", "package/LICENSE", "package/package.json"]));
      expect(names.filter((name) => /\.test\.|(?<!\.d)\.ts$|\/src\//.test(name))).toEqual([]);
    }
  });

  it("the tarballs run no install scripts, and depend on no package but wsx's ws", () => {
    for (const [name, file] of Object.entries(tarballs)) {
      const text = execFileSync("tar", ["xzOf", file, "package/package.json"], { encoding: "utf8" });
      const { dependencies = {}, optionalDependencies = {}, scripts = {} } = JSON.parse(text) as Record<string, object>;
      expect(Object.keys({ ...dependencies, ...optionalDependencies })).toEqual(name === "workspace-cli" ? ["ws"] : []);
      expect(scripts).toEqual({});
    }
  });
});

describe("API report", () => {
  it("packages/*/api is what the build declares", () => {
    const { status, stderr } = spawnSync(process.execPath, ["scripts/api-report.mjs", "--check"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(status, stderr).toBe(0);
  });
});

/** docs/guide/size.md says what each of these costs, and why. */
describe("size", () => {
  const core = 'export { Workspace, WorkspaceObject, getWorkspace } from "@cloudflare/workspace/core";';
  const imports = {
    "`@cloudflare/workspace/core`": core,
    "`/core` with `createGit`": `${core} export { createGit } from "@cloudflare/workspace/git";`,
    "`/core` with `createShell`": `${core} export { createShell } from "@cloudflare/workspace/shell";`,
    "`/core` with `openContainer`": `${core} export { openContainer } from "@cloudflare/workspace/shell";`,
    "`@cloudflare/workspace`": core.replace("/core", ""),
    "`@cloudflare/fs-tools`, with zod": 'export { createToolset } from "@cloudflare/fs-tools";',
  };

  it.each([
    ["`@cloudflare/workspace/core`", 150],
    // 838 until the typed methods of git returned modes, ids, conflicts and what a push or fetch did: 2 KiB.
    ["`@cloudflare/workspace`", 840],
  ] as const)("%s takes at most %d KiB in a Worker, minified and gzipped", async (name, maxKiB) => {
    expect(await uploadedKiB(project, imports[name])).toBeLessThanOrEqual(maxKiB);
  });

  it("docs/guide/size.md has the cost of each import, at most 3 % too high", async () => {
    const text = readFileSync(join(root, "docs/guide/size.md"), "utf8");
    const documented = Object.fromEntries(
      [...text.matchAll(/^\| (.+?) \| (\d+) KiB \|/gm)].map(([, name, kib]) => [name, kib]),
    );
    expect(Object.keys(documented)).toEqual(Object.keys(imports));
    for (const [name, contents] of Object.entries(imports)) {
      const measured = await uploadedKiB(project, contents);
      const isFresh = Number(documented[name]) >= measured && Number(documented[name]) <= measured * 1.03;
      expect({ name, measured, isFresh }).toEqual({ name, measured, isFresh: true });
    }
  });

  it("a Worker that imports the whole package evaluates at most 1.1 times as much at start as one with /core", async () => {
    const whole = await startBytes(project, imports["`@cloudflare/workspace`"]);
    const start = await startBytes(project, core);
    expect(whole / start).toBeLessThanOrEqual(1.1);
    expect(whole).toBeGreaterThan(start);
  });
});

describe("tsc", () => {
  const strict = { skipLibCheck: false, exactOptionalPropertyTypes: true, noPropertyAccessFromIndexSignature: true };
  // create-cloudflare's tsconfig of the hello-world template, as far as it concerns checking.
  const template = {
    target: "es2024",
    lib: ["es2024"],
    module: "es2022",
    moduleResolution: "Bundler",
    resolveJsonModule: true,
    allowJs: true,
    checkJs: false,
    isolatedModules: true,
    allowSyntheticDefaultImports: true,
    forceConsistentCasingInFileNames: true,
  };
  it.each([
    ["the Cloudflare template", template],
    ["bundler, strictest", { ...strict, module: "esnext", moduleResolution: "bundler", isolatedModules: true }],
    ["node16, strictest", { ...strict, module: "node16", moduleResolution: "node16", isolatedModules: true }],
    ["nodenext, strictest", { ...strict, module: "nodenext", moduleResolution: "nodenext", isolatedModules: true }],
  ])("finds nothing with %s", (name, options) => {
    const compilerOptions = {
      ...{ target: "ES2022", lib: ["ES2022"], types: ["@cloudflare/workers-types"], strict: true, noEmit: true },
      skipLibCheck: true,
      ...options,
    };
    const file = `tsconfig.${name.replaceAll(/\W+/g, "-")}.json`;
    writeFileSync(
      join(project, file),
      JSON.stringify({ compilerOptions, files: ["src/worker.ts", "src/adapters.ts"] }),
    );
    expect(run("tsc", ["-p", file])).toEqual({ status: 0, output: "" });
  });
});

/** WeakRef is there by default from then on; docs/guide/size.md names it. */
const OLDEST_DATE = "2025-05-05";

describe("programs that use them", () => {
  it.each([
    ["its compatibility date", []],
    [`the oldest one, ${OLDEST_DATE}`, ["--compatibility-date", OLDEST_DATE]],
  ])("wrangler dev serves an agent, a binding and tools on %s", async (_, flags) => {
    const port = await freePort();
    const server = spawn(
      join(project, "node_modules/.bin/wrangler"),
      ["dev", "--port", String(port), "--persist-to", join(project, `state-${port}`), ...flags],
      { cwd: project, env: OFFLINE, stdio: ["ignore", "pipe", "pipe"], detached: true },
    );
    let log = "";
    server.stdout.on("data", (chunk) => (log += chunk));
    server.stderr.on("data", (chunk) => (log += chunk));
    try {
      const answer = await untilServed(`http://127.0.0.1:${port}/agent`, () => server.exitCode !== null && log);
      expect(await answer.json()).toMatchObject({
        log: "first\nhello\n",
        isFsError: true,
        hits: 1,
        quoted: `'it'\\''s'`,
      });
      expect(await (await fetch(`http://127.0.0.1:${port}/binding`)).text()).toBe("hi");
      expect(await (await fetch(`http://127.0.0.1:${port}/tools`)).json()).toMatchObject({ content: "hi" });
    } finally {
      process.kill(-(server.pid as number), "SIGKILL");
    }
  });

  it("vitest with the Workers plugin runs a user's test", () => {
    const { status, output } = run("vitest", ["run"]);
    expect(status, output).toBe(0);
  });

  it.each([process.execPath, "/usr/local/bin/node", "/usr/bin/node"].filter((path) => existsSync(path)))(
    "%s imports @cloudflare/fs-tools",
    (node) => {
      const script = `
        import { createToolset, InMemoryFileStore, generateUnifiedPatch } from "@cloudflare/fs-tools";
        const toolset = await createToolset({ store: new InMemoryFileStore() });
        await toolset.handle("write", { path: "/a.txt", content: "hello" });
        const { structured } = await toolset.handle("read", { path: "/a.txt" });
        console.log(structured.content, toolset.schemas("anthropic").some(({ name }) => name === "edit"), generateUnifiedPatch("a", "x\\n", "y\\n").includes("+y"));`;
      writeFileSync(join(project, "node.mjs"), script);
      const { stdout, stderr } = spawnSync(node, ["node.mjs"], { cwd: project, encoding: "utf8" });
      expect({ stdout, stderr }).toEqual({ stdout: "hello true true\n", stderr: "" });
    },
  );

  it("examples/minimal passes its own check and test", () => {
    const minimal = join(project, "minimal");
    cpSync(join(root, "examples/minimal"), minimal, { recursive: true });
    for (const args of [["tsc"], ["vitest", "run"]] as const) {
      const [program, ...rest] = args;
      const { status, stdout, stderr } = spawnSync(join(project, "node_modules/.bin", program), rest, {
        cwd: minimal,
        encoding: "utf8",
        env: OFFLINE,
      });
      expect(status, `${program}: ${stdout}${stderr}`).toBe(0);
    }
  });

  it("examples/minimal asks for versions that are tested here", () => {
    const manifest = (path: string) =>
      JSON.parse(readFileSync(join(root, path), "utf8")) as Record<
        "dependencies" | "devDependencies",
        Record<string, string>
      > & { version: string };
    const { devDependencies, dependencies } = manifest("examples/minimal/package.json");
    const tested = manifest("test/packages/consumer/package.json").devDependencies;
    for (const [name, range] of Object.entries(devDependencies))
      expect([name, range]).toEqual([name, `^${tested[name]}`]);
    for (const name of ["workspace", "fs-tools"])
      expect(dependencies[`@cloudflare/${name}`]).toBe(`^${manifest(`packages/${name}/package.json`).version}`);
  });

  it("docs/guide/library.md installs the tarballs that are packed", () => {
    const named = [...codeBlock("docs/guide/library.md", "sh install").matchAll(/\.\/(\S+\.tgz)/g)].map(
      ([, file]) => file,
    );
    expect(named).toEqual(Object.values(tarballs).map((file) => file.slice(join(root, "dist/").length)));
  });

  it("wsx and wsgit run from a global install", () => {
    const prefix = mkdtempSync(join(tmpdir(), "workspace-global-"));
    try {
      npm(["install", "-g", "--prefix", prefix, tarballs["workspace-cli"]]);
      const { version } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as {
        version: string;
      };
      const wsx = (...args: string[]) => execFileSync(join(prefix, "bin/wsx"), args, { encoding: "utf8" });
      expect(wsx("--help")).toContain("wsx");
      expect(wsx("--version")).toContain(version);
      const work = mkdtempSync(join(prefix, "repository-"));
      const wsgit = (...args: string[]) =>
        execFileSync(join(prefix, "bin/wsgit"), args, { cwd: work, encoding: "utf8" });
      wsgit("init", "-q");
      writeFileSync(join(work, "a.txt"), "a\n");
      wsgit("add", ".");
      wsgit("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
      expect(execFileSync("git", ["log", "--format=%s"], { cwd: work, encoding: "utf8", stdio: "pipe" })).toBe(
        "first\n",
      );
    } finally {
      rmSync(prefix, { recursive: true, force: true });
    }
  });
});

/** Waits for the server's first answer; `ended` tells what it printed when it is no longer there. */
async function untilServed(url: string, ended: () => string | false): Promise<Response> {
  for (;;) {
    const failed = ended();
    if (failed !== false) throw new Error(failed);
    const response = await fetch(url).catch(() => null);
    if (response !== null && response.status !== 503) return response;
    await new Promise((done) => setTimeout(done, 200));
  }
}
