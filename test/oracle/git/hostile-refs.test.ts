/**
 * A server that advertises names which are no refs, to get files of the git directory written, and text with escape sequences. Beside
 * real git: after every command the git directory holds the same files, and nothing that could move a cursor is printed.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type FaultyServer, gitEnv, ours, passOn, real, send, startFaultyServer } from "./faulty-server.ts";

const run = promisify(execFile);

const NAMES = [
  "config",
  "index",
  "HEAD.lock",
  "MERGE_HEAD",
  "FETCH_HEAD",
  "shallow",
  "packed-refs",
  "description",
  "logs/HEAD",
  "logs/refs/heads/main",
  "info/exclude",
  "info/attributes",
  "hooks/pre-commit",
  "objects/info/alternates",
  "worktrees/x/HEAD",
  "main-worktree/HEAD",
  "modules/x/config",
  "../outside",
  "/absolute",
  "./config",
  "refs",
  "refs/",
  "refs/../config",
  "refs/heads/../../config",
  "refs/heads/.hidden",
  "refs/heads/x.lock",
  "refs/heads//twice",
  "refs/heads/dot.",
  "refs/heads/a..b",
  "refs/heads/c:d",
  "refs/heads/q?",
  "refs/heads/star*",
  "refs/heads/back\\slash",
  "refs/heads/at@{now}",
  "refs/heads/\x01",
  "refs/heads/\x1b[2J",
  "refs/heads/del\x7f",
];

let server: FaultyServer;
let oid = "";
beforeAll(async () => {
  server = await startFaultyServer();
  real(join(server.folder, "server.git"), "branch", "good", "main");
  oid = real(join(server.folder, "server.git"), "rev-parse", "main").trim();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.fault = passOn;
});

const packet = (content: string | Buffer) => {
  const body = typeof content === "string" ? Buffer.from(content) : content;
  return Buffer.concat([Buffer.from((body.length + 4).toString(16).padStart(4, "0")), body]);
};

const latin1 = (body: Uint8Array) => Buffer.from(body).toString("latin1");

const listsRefs = ({ method, url }: IncomingMessage, body: Buffer) =>
  method === "GET"
    ? (url ?? "").includes("info/refs") && !latin1(body).includes("version 2")
    : /^[0-9a-f]{44} HEAD/.test(latin1(body.subarray(0, 49)));

/** The names, after those that are really there; `target`: where HEAD is said to lead. */
function advertise(names: readonly string[], target?: string) {
  server.fault = async (request, answer, response) => {
    const given = await answer();
    if (listsRefs(request, given.body)) {
      const lines = names.map((name) => packet(`${oid} ${name}\n`));
      let { body } = given;
      if (target !== undefined) {
        const text = latin1(body).replace(
          /symref-target:refs\/heads\/main|symref=HEAD:refs\/heads\/main/,
          (found: string) => found.replace("refs/heads/main", () => target),
        );
        // Only names of the same length keep the packet whole.
        body = Buffer.from(text, "latin1");
      }
      given.body = Buffer.concat([body.subarray(0, -4), ...lines, Buffer.from("0000")]);
    }
    await send(given, response);
  };
}

/** Every file of a git directory but objects and refs, with what it says. */
function filesOf(gitDir: string): string {
  const files = readdirSync(gitDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(gitDir.length + 1))
    .filter(
      (path) =>
        !/^(?:objects\/(?:pack|..)\/|hooks\/.*\.sample$|index$|packed-refs$|refs\/|logs\/|description$)/.test(path),
    )
    .sort();
  return files.map((path) => `${path}: ${readFileSync(join(gitDir, path), "latin1")}`).join("\n");
}

async function realGit(cwd: string, argv: readonly string[]): Promise<number> {
  const { code = 0 } = await run("git", [...argv], { cwd, env: gitEnv }).then(
    () => ({ code: 0 }),
    (error: { code?: number }) => error,
  );
  return code;
}

let created = 0;

/** Both gits with the same words; `files` and `refs` of each afterwards. */
async function cloneBoth(argv: readonly string[], then: readonly (readonly string[])[] = []) {
  const url = `${server.origin}/server.git`;
  const number = created++;
  const isBare = argv.some((word) => /^--(?:mirror|bare)$/.test(word));
  const of = (side: "ours" | "real") => {
    const folder = join(server.folder, `${side}-${number}`);
    const gitDir = isBare ? folder : join(folder, ".git");
    const files = filesOf(gitDir).replaceAll(`${side}-${number}`, () => "<clone>");
    return { files, refs: real(gitDir, "for-each-ref") };
  };
  const cloned = await ours(server.folder, [...argv, url, `ours-${number}`]);
  const codes = [await realGit(server.folder, [...argv, url, `real-${number}`])];
  expect([cloned.exitCode, cloned.stderr]).toEqual([0, ""]);
  for (const words of then) {
    const { stdout, stderr } = await ours(join(server.folder, `ours-${number}`), [...words]);
    expect(stdout + stderr).not.toMatch(CONTROL);
    codes.push(await realGit(join(server.folder, `real-${number}`), words));
  }
  return { ours: of("ours"), real: codes[0] === 0 ? of("real") : null, codes };
}

/** None of them may be printed. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/;

it.each(NAMES)("clone --mirror writes no file for the advertised name %j", async (name) => {
  advertise([name]);
  const both = await cloneBoth(["clone", "-q", "--mirror"]);
  expect(both.ours.refs).toMatch(/refs\/heads\/good\n/);
  if (both.real !== null) expect(both.ours).toEqual(both.real);
  expect(both.ours.files).not.toMatch(/: [0-9a-f]{40}$/m);
});

const everyRef = "+refs/*:refs/*";
it.each([
  { clone: ["clone", "-q"], after: [["fetch", "-q", "origin", everyRef]] },
  { clone: ["clone", "-q", "--bare"], after: [["fetch", "-q", "origin", everyRef, "+HEAD:refs/heads/head"]] },
  {
    clone: ["clone", "-q", "-c", "protocol.version=0", "--mirror"],
    after: [
      ["remote", "update"],
      ["fetch", "--prune"],
    ],
  },
  { clone: ["clone", "-q", "-c", "protocol.version=1"], after: [["remote", "set-head", "origin", "-a"]] },
  { clone: ["clone", "-q"], after: [["ls-remote"], ["ls-remote", "--symref"], ["remote", "show", "origin"]] },
  {
    clone: ["clone", "-q"],
    after: [
      ["fetch", "origin", "config:config"],
      ["fetch", "origin", "MERGE_HEAD:HEAD.lock"],
    ],
  },
  { clone: ["clone", "-q"], after: [["push", "-n", "--mirror"], ["push", "-n", "origin", "main:config"], ["pull"]] },
])("$clone and $after write no file but refs", async ({ clone, after }) => {
  advertise(NAMES);
  const both = await cloneBoth(clone, after);
  const hostile = /^(?!FETCH_HEAD|ORIG_HEAD|HEAD)[^\n]*: [0-9a-f]{40}$/m;
  expect(both.ours.files).not.toMatch(hostile);
  expect(both.ours.refs).not.toMatch(CONTROL);
  expect(existsSync(join(server.folder, "outside"))).toBe(false);
});

it.each(["config.........", "refs/../config..", "refs/heads/x\x1b[2", "refs/heads/m\x07ab"])(
  "clone ignores a HEAD that names %j",
  async (target) => {
    advertise([], target.slice(0, "refs/heads/main".length));
    const both = await cloneBoth(["clone", "-q"], [["remote", "set-head", "origin", "-a"]]);
    expect(both.ours.files).toMatch(/^HEAD: (?:ref: refs\/heads\/(?:main|good|master)|[0-9a-f]{40})$/m);
    expect(both.ours.files + both.ours.refs).not.toContain(target.slice(0, 15));
  },
);

const ESCAPES = "\x1b[2J\x1b]0;owned\x07\x1b[31mred\x1b[m\x9b1A\x08\x7f";
const MASKED = "^[[2J^[]0;owned^G\x1b[31mred\x1b[m?1A^H^?";

it("progress of a server keeps its colors, and no other escape sequence", async () => {
  server.fault = async (request, answer, response) => {
    const given = await answer();
    const at = latin1(given.body).indexOf("000dpackfile\n");
    if (request.method === "POST" && at >= 0) {
      const end = at + 13;
      given.body = Buffer.concat([
        given.body.subarray(0, end),
        packet(`\x02${ESCAPES}\nnext\r`),
        given.body.subarray(end),
      ]);
    }
    await send(given, response);
  };
  const { stderr, exitCode } = await ours(server.folder, [
    "clone",
    "--progress",
    `${server.origin}/server.git`,
    "escapes",
  ]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`remote: ${MASKED}        \nremote: next        \r`);
});

const errors: [
  string,
  (request: IncomingMessage) => { status: number; type?: string; body: Buffer; location?: string } | null,
][] = [
  ["an ERR line", (request) => (request.method === "POST" ? { status: 200, body: packet(`ERR ${ESCAPES}\n`) } : null)],
  ["an ERR line at once", () => ({ status: 200, body: packet(`ERR ${ESCAPES}\n`) })],
  ["the body of an error", () => ({ status: 500, type: "text/plain", body: Buffer.from(`why: ${ESCAPES}\nmore\n`) })],
  ["a page that is no answer", () => ({ status: 200, type: "text/html", body: Buffer.from(ESCAPES) })],
  ["a strange content type", () => ({ status: 200, type: "text/x-\x9b1A", body: Buffer.from("x") })],
  [
    "a redirect",
    () => ({
      status: 302,
      location: "http://127.0.0.1:1/%1b[2J\x9b/info/refs?service=git-upload-pack",
      body: Buffer.from(""),
    }),
  ],
  [
    "a ref line",
    () => ({
      status: 200,
      body: Buffer.concat([packet("# service=git-upload-pack\n"), Buffer.from("0000"), packet(`x ${ESCAPES}\n`)]),
    }),
  ],
  ["a length", () => ({ status: 200, body: Buffer.from("\x1b[2J") })],
];

it.each(errors)("%s reaches the terminal without control characters", async (_, fault) => {
  server.fault = async (request, answer, response) => {
    const reported = fault(request);
    if (reported === null) return send(await answer(), response);
    const service = "application/x-git-upload-pack";
    const type = reported.type ?? `${service}-${request.method === "POST" ? "result" : "advertisement"}`;
    response.writeHead(reported.status, {
      "content-type": type,
      ...(reported.location ? { location: reported.location } : {}),
    });
    response.end(reported.body);
  };
  for (const argv of [["clone"], ["ls-remote"], ["fetch"]]) {
    const target = argv[0] === "clone" ? ["failed"] : [];
    const { stderr, stdout, exitCode } = await ours(server.folder, [...argv, `${server.origin}/server.git`, ...target]);
    expect(exitCode).toBe(128);
    expect(stderr.replaceAll("\x1b[31m", () => "").replaceAll("\x1b[m", () => "") + stdout).not.toMatch(CONTROL);
  }
});

it("a push that the server refuses with escape sequences", async () => {
  const clone = server.staleClone();
  real(clone, "switch", "-q", "-c", "mine");
  server.fault = async (request, answer, response) => {
    if (request.method !== "POST") return send(await answer(), response);
    const report = Buffer.concat([
      packet("unpack ok\n"),
      packet(`ng refs/heads/mine ${ESCAPES}\n`),
      Buffer.from("0000"),
    ]);
    response.writeHead(200, { "content-type": "application/x-git-receive-pack-result" });
    response.end(
      Buffer.concat([packet(`\x02${ESCAPES}\n`), packet(Buffer.concat([Buffer.of(1), report])), Buffer.from("0000")]),
    );
  };
  for (const words of [
    ["push", "origin", "mine"],
    ["push", "--porcelain", "origin", "mine"],
  ]) {
    const { stderr, stdout, exitCode } = await ours(clone, words);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(MASKED)]);
    expect((stderr + stdout).replaceAll("\x1b[31m", () => "").replaceAll("\x1b[m", () => "")).not.toMatch(CONTROL);
  }
});
