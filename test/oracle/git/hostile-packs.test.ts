/**
 * Packs that a server should not send: wrong sums, circles, lies about sizes, objects left out, paths that lead elsewhere. Each is an
 * error, nothing of it becomes visible, and no ref ever points at what is missing. The same for a push that breaks off.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Fault,
  type FaultyServer,
  gitEnv,
  onPack,
  ours,
  passOn,
  real,
  send,
  startFaultyServer,
  stateOf,
} from "./faulty-server.ts";

let server: FaultyServer;
let count = 0;

beforeAll(async () => {
  server = await startFaultyServer();
});

afterAll(() => server[Symbol.asyncDispose]());

beforeEach(() => {
  server.fault = passOn;
});

const TYPES = { commit: 1, tree: 2, blob: 3, refDelta: 7 } as const;

interface Entry {
  type: keyof typeof TYPES;
  body: Uint8Array;
  base?: string;
  /** What the header says; default the truth. */
  size?: number;
}

function packOf(entries: readonly Entry[], { objects = entries.length, sum = true } = {}): Buffer {
  const head = Buffer.alloc(12);
  head.write("PACK");
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(objects, 8);
  const parts: Uint8Array[] = [head];
  for (const { type, body, base, size = body.length } of entries) {
    const bytes = [(TYPES[type] << 4) | (size & 15) | (size > 15 ? 0x80 : 0)];
    for (let rest = size >> 4; rest > 0; rest >>= 7) bytes.push((rest & 127) | (rest > 127 ? 0x80 : 0));
    parts.push(Buffer.from(bytes), Buffer.from(base ?? "", "hex"), deflateSync(body));
  }
  const content = Buffer.concat(parts);
  const trailer = createHash("sha1").update(content).digest();
  if (!sum) trailer[0] = (trailer[0] as number) ^ 1;
  return Buffer.concat([content, trailer]);
}

/** In place of the server's own pack. */
function instead(makePack: () => Buffer): Fault {
  return onPack((answer, response) => {
    const text = Buffer.concat([answer.body]).toString("latin1");
    const start = text.indexOf("packfile\n") + "packfile\n".length;
    const parts: Uint8Array[] = [answer.body.subarray(0, start)];
    const pack = makePack();
    for (let at = 0; at < pack.length; at += 60_000) {
      const piece = pack.subarray(at, at + 60_000);
      parts.push(Buffer.from((piece.length + 5).toString(16).padStart(4, "0")), Buffer.from([1]), piece);
    }
    return send({ ...answer, body: Buffer.concat([...parts, Buffer.from("0000")]) }, response);
  });
}

/** What the server would rightly send, but for some of it. */
function withoutSome(types: readonly string[]): Buffer {
  const bare = join(server.folder, "server.git");
  const git = (argv: string[], input = "") =>
    execFileSync("git", argv, { cwd: bare, env: gitEnv, input, stdio: "pipe" });
  const listed = git(["rev-list", "--objects", "--no-object-names", "main", "^main~1"]).toString();
  const retained = git(["cat-file", "--batch-check=%(objectname) %(objecttype)"], listed)
    .toString()
    .split("\n")
    .filter((line) => line !== "" && !types.includes(line.split(" ")[1] as string));
  return git(["pack-objects", "--stdout", "-q"], `${retained.map((line) => line.slice(0, 40)).join("\n")}\n`);
}

/** The last commit of so many with all that is in it, as if the others were known. */
function lastOf(commits: number): Buffer {
  const work = join(server.folder, "work");
  for (let i = 1; i < commits; i++) {
    writeFileSync(join(work, "new.txt"), `commit ${i} ${count++}\n`);
    real(work, "commit", "-q", "-a", "-m", `more ${i}`);
  }
  const bare = join(server.folder, "server.git");
  real(work, "push", "-q", bare, "main");
  const git = (argv: string[], input: string) =>
    execFileSync("git", argv, { cwd: bare, env: gitEnv, input, stdio: "pipe" });
  return git(["pack-objects", "--stdout", "-q", "--revs"], "main\n^main~1\n");
}

const encode = (text: string) => new TextEncoder().encode(text);
const [one, two] = ["1".repeat(40), "2".repeat(40)];
/** Copies four bytes of a base of four. */
const copyAll = new Uint8Array([4, 4, 0x90, 4]);

const packs: [string, () => Buffer, RegExp][] = [
  ["a sum that is not its own", () => packOf([{ type: "blob", body: encode("x\n") }], { sum: false }), /SHA1 mismatch/],
  [
    "deltas that stand on each other",
    () =>
      packOf([
        { type: "refDelta", base: one, body: copyAll },
        { type: "refDelta", base: two, body: copyAll },
      ]),
    /unresolved delta/,
  ],
  ["an object that is longer than it says", () => packOf([{ type: "blob", body: encode("longer\n"), size: 3 }]), /./],
  ["an object that is shorter than it says", () => packOf([{ type: "blob", body: encode("x\n"), size: 300 }]), /./],
  ["a size of gigabytes", () => packOf([{ type: "blob", body: encode("x\n"), size: 0x7fffffff }]), /./],
  ["fewer objects than it says", () => packOf([{ type: "blob", body: encode("x\n") }], { objects: 1000 }), /./],
  ["more objects than it says", () => packOf([{ type: "blob", body: encode("x\n") }], { objects: 0 }), /./],
  ["not what was asked for", () => packOf([{ type: "blob", body: encode("x\n") }]), /did not send all necessary/],
  ["no blobs", () => withoutSome(["blob"]), /did not send all necessary/],
  ["no commit but the last", () => lastOf(2), /did not send all necessary/],
  ["no trees", () => withoutSome(["tree"]), /did not send all necessary/],
  ["nothing at all", () => packOf([]), /did not send all necessary/],
];

describe("fetch of a pack with", () => {
  it.each(packs)("%s: fails and leaves the repository unchanged", async (_, makePack, message) => {
    const clone = server.staleClone();
    const before = stateOf(clone);
    const pack = makePack();
    server.fault = instead(() => pack);
    const { exitCode, stderr } = await ours(clone, ["fetch"]);
    expect(stderr).toMatch(/^(fatal|error): /m);
    expect(stderr).toMatch(message);
    expect(exitCode).not.toBe(0);
    // Loose objects of a pack that lacks some are no harm, as in git: refs and packs are what counts.
    expect(stateOf(clone).replaceAll(/^dangling .*\n/gm, () => "")).toBe(before);
    expect(
      existsSync(join(clone, ".git", "FETCH_HEAD")) && readFileSync(join(clone, ".git", "FETCH_HEAD"), "utf8"),
    ).not.toMatch(/[0-9a-f]{40}/);
    server.fault = passOn;
    expect((await ours(clone, ["fetch", "-q"])).exitCode).toBe(0);
    expect(real(clone, "fsck", "--full", "--no-dangling")).toBe("");
  });

  it.each(packs)("%s, to clone: leaves nothing", async (_, makePack) => {
    const pack = makePack();
    server.fault = instead(() => pack);
    const target = `gone-${count++}`;
    expect((await ours(server.folder, ["clone", "-q", `${server.origin}/server.git`, target])).exitCode).not.toBe(0);
    expect(readdirSync(server.folder)).not.toContain(target);
  });

  it.each([["--bare"], ["--no-checkout"], ["--quiet"]])(
    "the last commit without its parents, to clone %s: leaves nothing",
    async (flag) => {
      server.staleClone();
      const git = (argv: string[], input = "") =>
        execFileSync("git", argv, { cwd: join(server.folder, "server.git"), env: gitEnv, input, stdio: "pipe" });
      const last = git(["rev-list", "--objects", "--no-object-names", "--no-walk", "main"]).toString();
      const pack = git(["pack-objects", "--stdout", "-q"], last);
      server.fault = instead(() => pack);
      const target = `gone-${count++}`;
      const { exitCode, stderr } = await ours(server.folder, ["clone", flag, `${server.origin}/server.git`, target]);
      expect(stderr).toMatch(/did not send all necessary/);
      expect(exitCode).toBe(128);
      expect(readdirSync(server.folder)).not.toContain(target);
    },
  );
});

it("fetch follows no tag to a local commit whose history is missing", async () => {
  const clone = server.staleClone();
  const bare = join(server.folder, "server.git");
  const work = join(server.folder, "work");
  writeFileSync(join(work, "aside.txt"), `aside ${count++}\n`);
  real(work, "add", ".");
  const commit = real(work, "commit-tree", "-m", "aside", real(work, "write-tree").trim()).trim();
  real(work, "reset", "-q", "--hard");
  real(work, "push", "-q", bare, `${commit}:refs/tags/aside`);
  const body = execFileSync("git", ["cat-file", "commit", commit], { cwd: bare, env: gitEnv, stdio: "pipe" });
  execFileSync("git", ["hash-object", "-w", "-t", "commit", "--stdin"], {
    cwd: clone,
    env: gitEnv,
    input: body,
    stdio: "pipe",
  });
  expect((await ours(clone, ["fetch", "-q"])).exitCode).toBe(0);
  expect(real(clone, "tag")).toBe("");
  real(bare, "update-ref", "-d", "refs/tags/aside");
});

it("an incomplete deepening fetch keeps the shallow boundary", async () => {
  const clone = join(server.folder, `shallow-${count++}`);
  server.staleClone();
  const cloned = await ours(server.folder, ["clone", "-q", "--depth", "1", `${server.origin}/server.git`, clone]);
  expect(cloned).toMatchObject({ exitCode: 0 });
  const before = stateOf(clone) + readFileSync(join(clone, ".git", "shallow"), "utf8");
  for (const deepen of [["--unshallow"], ["--deepen", "1"], ["--depth", "2"]]) {
    server.fault = instead(() => packOf([]));
    const { exitCode, stderr } = await ours(clone, ["fetch", ...deepen]);
    expect(stderr).toMatch(/did not send all necessary|error in object: shallow/);
    expect(exitCode).not.toBe(0);
    expect(stateOf(clone) + readFileSync(join(clone, ".git", "shallow"), "utf8")).toBe(before);
  }
  server.fault = passOn;
  expect(await ours(clone, ["fetch", "-q", "--unshallow"])).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(clone, ".git", "shallow"))).toBe(false);
  expect(real(clone, "fsck", "--full")).toBe("");
});

const pushFaults: [string, Fault, RegExp][] = [
  [
    "cut before an answer",
    async (request, __, response) => void (isPush(request) ? response.destroy() : await passOn(request, __, response)),
    /hung up|unable to access|failed/,
  ],
  [
    "500 for the pack",
    async (request, answer, response) =>
      isPush(request) ? void response.writeHead(500).end() : passOn(request, answer, response),
    /RPC failed; HTTP 500/,
  ],
  [
    "403 for the pack",
    async (request, answer, response) =>
      isPush(request) ? void response.writeHead(403).end() : passOn(request, answer, response),
    /RPC failed; HTTP 403/,
  ],
  [
    "an answer that is cut",
    async (request, answer, response) => {
      const given = await answer();
      await send(isPush(request) ? { ...given, body: given.body.subarray(0, 20) } : given, response);
    },
    /hung up|early EOF|unexpected/,
  ],
  [
    "an answer of garbage",
    async (request, answer, response) => {
      const given = await answer();
      await send(isPush(request) ? { ...given, body: Buffer.from("not a packet") } : given, response);
    },
    /protocol error/,
  ],
  [
    "an answer that leaves the ref out",
    async (request, answer, response) => {
      const given = await answer();
      const report = "000eunpack ok\n0000";
      const band = `${(report.length + 5).toString(16).padStart(4, "0")}\u0001${report}0000`;
      await send(isPush(request) ? { ...given, body: Buffer.from(band, "latin1") } : given, response);
    },
    /remote failed to report status/,
  ],
];

const isPush = ({ method, url }: { method?: string | undefined; url?: string | undefined }) =>
  method === "POST" && (url ?? "").endsWith("/git-receive-pack");

describe("push", () => {
  it.each(pushFaults)("%s: fails and keeps the remote-tracking branch", async (_, fault, message) => {
    const clone = server.staleClone();
    expect((await ours(clone, ["fetch", "-q"])).exitCode).toBe(0);
    real(clone, "reset", "-q", "--hard", "origin/main");
    real(clone, "commit", "-q", "--allow-empty", "-m", "mine");
    const branch = `push-${count++}`;
    const before = real(clone, "for-each-ref");
    server.fault = fault;
    const { exitCode, stderr } = await ours(clone, ["push", "origin", `HEAD:refs/heads/${branch}`]);
    expect(stderr).toMatch(message);
    expect(exitCode).not.toBe(0);
    expect(real(clone, "for-each-ref")).toBe(before);
    server.fault = passOn;
    expect((await ours(clone, ["push", "-q", "origin", `HEAD:refs/heads/${branch}`])).exitCode).toBe(0);
    expect(real(join(server.folder, "server.git"), "rev-parse", branch)).toBe(real(clone, "rev-parse", "HEAD"));
    expect(real(join(server.folder, "server.git"), "fsck", "--full", "--no-dangling")).toBe("");
  });
});

describe("a tree that leads elsewhere", () => {
  /** A commit of these entries on a bare repository, made by hand: git itself would refuse to. */
  function commitOf(bare: string, mode: string, path: string, content: string, parent?: string): string {
    const git = (argv: string[], input: string | Uint8Array = "") =>
      execFileSync("git", argv, { cwd: bare, env: gitEnv, input, encoding: "utf8", stdio: "pipe" }).trim();
    let oid = git(["hash-object", "-w", "--stdin"], content);
    let entryMode = mode;
    for (const name of path.split("/").reverse()) {
      const body = Buffer.concat([Buffer.from(`${entryMode} ${name}\0`), Buffer.from(oid, "hex")]);
      oid = git(["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], body);
      entryMode = "40000";
    }
    return git(["commit-tree", "-m", "evil", ...(parent ? ["-p", parent] : []), oid]);
  }

  it.each([
    [".git/config"],
    [".GIT/config"],
    ["git~1/config"],
    ["dir/.git/hooks/x"],
    ["../escape"],
    ["a/../../escape"],
    ["./escape"],
  ])("with %s is refused by clone, checkout, reset, merge and read-tree", async (path) => {
    const name = `hostile-${count++}`;
    const bare = join(server.folder, `${name}.git`);
    real(server.folder, "init", "-q", "--bare", "-b", "main", bare);
    const good = commitOf(bare, "100644", "good.txt", "good\n");
    real(bare, "update-ref", "refs/heads/main", good);
    real(bare, "update-ref", "refs/heads/evil", commitOf(bare, "100644", path, "evil\n", good));
    const clone = join(server.folder, name);
    expect(
      (await ours(server.folder, ["clone", "-q", "-b", "evil", `${server.backend}/${name}.git`, `${name}-x`])).exitCode,
    ).not.toBe(0);
    expect((await ours(server.folder, ["clone", "-q", `${server.backend}/${name}.git`, name])).exitCode).toBe(0);
    const config = readFileSync(join(clone, ".git", "config"), "utf8");
    for (const argv of [
      ["checkout", "-q", "origin/evil"],
      ["switch", "-q", "--detach", "origin/evil"],
      ["reset", "-q", "--hard", "origin/evil"],
      ["merge", "-q", "origin/evil"],
      ["read-tree", "-u", "-m", "origin/evil"],
      ["checkout", "-q", "origin/evil", "--", "."],
      ["restore", "--source=origin/evil", "."],
      ["cherry-pick", "origin/evil"],
    ]) {
      const { exitCode, stderr } = await ours(clone, argv);
      expect([argv[0], exitCode === 0, stderr]).toEqual([argv[0], false, expect.stringMatching(/./)]);
      expect(readFileSync(join(clone, ".git", "config"), "utf8")).toBe(config);
      if (existsSync(join(clone, ".git", "index.lock"))) expect.fail(`${argv.join(" ")} left a lock`);
      real(clone, "reset", "-q", "--hard", good);
    }
    expect(readdirSync(server.folder)).not.toContain("escape");
    expect(readdirSync(clone).sort()).toEqual([".git", "good.txt"]);
    expect(readFileSync(join(clone, "good.txt"), "utf8")).toBe("good\n");
  });

  it("with a link in place of a directory writes nothing behind the link", async () => {
    const name = `links-${count++}`;
    const bare = join(server.folder, `${name}.git`);
    real(server.folder, "init", "-q", "--bare", "-b", "main", bare);
    const outside = join(server.folder, `${name}-outside`);
    mkdirSync(outside);
    const first = commitOf(bare, "120000", "link", outside);
    real(bare, "update-ref", "refs/heads/main", first);
    real(bare, "update-ref", "refs/heads/dir", commitOf(bare, "100644", "link/file", "evil\n", first));
    const clone = join(server.folder, name);
    expect((await ours(server.folder, ["clone", "-q", `${server.backend}/${name}.git`, name])).exitCode).toBe(0);
    expect((await ours(clone, ["switch", "-q", "dir"])).exitCode).toBe(0);
    expect(readdirSync(outside)).toEqual([]);
    expect(readFileSync(join(clone, "link", "file"), "utf8")).toBe("evil\n");

    // A link that git did not create: tracked files below it are not written through it either.
    real(clone, "rm", "-q", "-r", "--cached", "link");
    execFileSync("rm", ["-r", join(clone, "link")]);
    symlinkSync(outside, join(clone, "link"));
    writeFileSync(join(clone, "other"), "other\n");
    await ours(clone, ["checkout", "-q", "HEAD", "--", "link/file"]);
    await ours(clone, ["reset", "-q", "--hard", "dir"]);
    expect(readdirSync(outside)).toEqual([]);
  });

  it("with a link and a directory of one name is refused", async () => {
    const name = `twice-${count++}`;
    const bare = join(server.folder, `${name}.git`);
    real(server.folder, "init", "-q", "--bare", "-b", "main", bare);
    const outside = join(server.folder, `${name}-outside`);
    mkdirSync(outside);
    const git = (argv: string[], input: string | Uint8Array) =>
      execFileSync("git", argv, { cwd: bare, env: gitEnv, input, encoding: "utf8", stdio: "pipe" }).trim();
    const treeOf = (...entries: [string, string][]) => {
      const parts = entries.flatMap(([head, oid]) => [Buffer.from(`${head}\0`), Buffer.from(oid, "hex")]);
      return git(["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], Buffer.concat(parts));
    };
    const link = git(["hash-object", "-w", "--stdin"], outside);
    const inner = treeOf(["100644 file", git(["hash-object", "-w", "--stdin"], "evil\n")]);
    const commit = git(["commit-tree", "-m", "evil", treeOf(["120000 a", link], ["40000 a", inner])], "");
    real(bare, "update-ref", "refs/heads/main", commit);
    await ours(server.folder, ["clone", "-q", `${server.backend}/${name}.git`, name]);
    expect(readdirSync(outside)).toEqual([]);
  });
});
