/**
 * What taking in a pack costs a fresh Node process: at most 64 MB above idle for 35 MB, and hardly more for 150 MB. The packs
 * are made by `git fast-import`, with deltas, and the engine's own accountant must say at most 48 MiB.
 */
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = mkdtempSync(join(tmpdir(), "git-pack-memory-"));
const MB = 1024 * 1024;

const child = `
  import { createReadStream, existsSync, mkdirSync, readFileSync } from "node:fs";
  import { createNodeFileSystem } from "@workspace/git/node";
  import { indexPack } from "../../packages/git/src/pack/index-pack.ts";
  import { MemoryBudget } from "../../packages/git/src/memory/memory-budget.ts";
  const [pack, directory] = process.argv.slice(2);
  mkdirSync(directory);
  const idle = process.memoryUsage().rss;
  const memory = new MemoryBudget(48 * 1024 * 1024);
  const { objects } = await indexPack({ fs: createNodeFileSystem(), directory, memory }, createReadStream(pack));
  // Linux's maxRSS of a new program includes that of the process that started it; the high-water mark of /proc is its own.
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const peak = Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS) * 1024;
  const resident = peak - idle;
  process.stdout.write(JSON.stringify({ objects, resident, accounted: memory.peak }));
`;

beforeAll(async () => {
  await build({
    stdin: { contents: child, resolveDir: "test/limits", loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: join(root, "child.mjs"),
    logLevel: "error",
  });
});
afterAll(() => rmSync(root, { recursive: true }));

/** Text that compresses to a half, and of which every third version is a delta on the one before. */
function* versions(bytes: number): Generator<string> {
  let text = "";
  for (let i = 0, created = 0; created < bytes; i++) {
    if (i % 3 === 0) text = Buffer.from(randomBytes(19_000)).toString("hex");
    else text = text.slice(0, 20_000) + Buffer.from(randomBytes(60)).toString("hex") + text.slice(20_400);
    created += i % 3 === 0 ? 21_000 : 200;
    yield text;
  }
}

async function makePack(name: string, bytes: number): Promise<string> {
  const directory = join(root, name);
  mkdirSync(directory);
  execFileSync("git", ["init", "-q", "--bare", directory]);
  const importer = spawn("git", ["-c", "pack.compression=1", "fast-import", "--quiet"], {
    cwd: directory,
    stdio: ["pipe", "inherit", "inherit"],
  });
  const ended = new Promise<void>((done) => importer.once("exit", () => done()));
  let commit = 0;
  for (const text of versions(bytes)) {
    const head = `commit refs/heads/main\ncommitter C <c@x> ${1_700_000_000 + commit} +0000\ndata 1\nx\n`;
    const file = `M 100644 inline d${commit % 50}/f${Math.floor(commit / 3) % 900}\ndata ${text.length}\n${text}\n`;
    commit++;
    if (!importer.stdin.write(head + file)) await new Promise((drained) => importer.stdin.once("drain", drained));
  }
  importer.stdin.end();
  await ended;
  const packs = join(directory, "objects/pack");
  return join(packs, readdirSync(packs).find((file) => file.endsWith(".pack")) as string);
}

interface Cost {
  objects: number;
  resident: number;
  accounted: number;
}

function take(pack: string, name: string): Cost {
  // V8's helper threads wait for a core on a busy machine: the main thread collects garbage instead.
  const argv = ["--single-threaded-gc", join(root, "child.mjs"), pack, join(root, name)];
  return JSON.parse(execFileSync(process.execPath, argv).toString());
}

describe("indexPack", () => {
  it("indexes 150 MB with about the memory of 35 MB", async () => {
    const small = await makePack("small.git", 35 * MB);
    const large = await makePack("large.git", 150 * MB);
    const sizes = [small, large].map((pack) => Math.round(statSync(pack).size / MB));
    const first = take(small, "first");
    const second = take(large, "second");
    expect(sizes[0]).toBeGreaterThan(30);
    expect(sizes[1]).toBeGreaterThan(140);
    expect(first.resident / MB).toBeLessThan(64);
    expect(second.resident / MB).toBeLessThan(64);
    // The collector decides when memory falls; what the code holds is the count below.
    expect(second.resident).toBeLessThan(first.resident * 1.3);
    expect(first.accounted).toBeLessThanOrEqual(48 * MB);
    expect(second.accounted).toBeLessThanOrEqual(48 * MB);
  }, 600_000);
});
