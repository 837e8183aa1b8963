/**
 * Fetching and pushing, ours beside real git, each against a server of its own: a real `git http-backend` on loopback. What is printed,
 * the exit codes and the repositories on both sides must come out the same.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "@workspace/git";
import { createNodeFileSystem } from "@workspace/git/node";
import { describe, expect, it } from "vitest";
import { compareAll, environment, folder, more, type Step, server, start, startServers } from "./transport-harness.ts";

const fs = createNodeFileSystem();

const scenarios: Record<string, Step[]> = {
  clone: [
    ...start,
    "clone <server>/server.git clone",
    "status",
    "log --oneline",
    "branch -a",
    "clone <server>/server.git clone",
  ],
  "clone quiet, one branch, no tags": [
    ...start,
    "clone -q --single-branch --no-tags -b side <server>/server.git clone",
    "branch -a",
    "tag",
  ],
  "clone a tag": [...start, "clone -b v1 <server>/server.git clone", "status"],
  "clone of depth 1": [
    ...start,
    "clone --depth 1 <server>/server.git clone",
    "log --oneline",
    "fetch --unshallow",
    "log --oneline",
  ],
  "clone without checkout": [...start, "clone -n -o up <server>/server.git clone", "status --short", "remote -v"],
  "clone what is not there": [
    ...start,
    "clone <server>/nothing.git clone",
    "clone -b nothing <server>/server.git clone",
    "clone <server>/server.git clone",
  ],
  "clone an empty repository": [
    { at: "server", run: "init -q --bare -b main ." },
    "clone <server>/server.git clone",
    "status",
  ],
  fetch: [
    ...start,
    "clone -q <server>/server.git clone",
    "fetch",
    ...more,
    "fetch",
    "fetch",
    "fetch --prune",
    "branch -a",
    "tag",
  ],
  "fetch one branch": [
    ...start,
    "clone -q <server>/server.git clone",
    ...more,
    "fetch origin main",
    "fetch origin new:copied",
    "fetch origin nothing",
    "fetch origin tag v3",
    "branch -a",
  ],
  "fetch forced": [
    ...start,
    "clone -q <server>/server.git clone",
    { at: "beside", run: "reset -q --hard HEAD~1" },
    { at: "beside", run: "commit -q --allow-empty -m other" },
    { at: "beside", run: "push -q -f ../server.git main" },
    "fetch",
    "status",
    "fetch origin main:side2",
    "fetch origin v1:side2",
    "fetch --dry-run",
  ],
  "fetch all, tags and depth": [
    ...start,
    "clone -q --depth 1 <server>/server.git clone",
    ...more,
    "fetch --all",
    "fetch --tags",
    "fetch --deepen 1",
    "log --oneline",
  ],
  push: [
    ...start,
    "clone -q <server>/server.git clone",
    { write: { "clone/a.txt": "mine\n" } },
    "commit -q -a -m mine",
    "push",
    "push",
    "switch -q -c topic",
    "commit -q --allow-empty -m topic",
    "push",
    "push -u origin topic",
    "push origin HEAD",
    "push origin topic:renamed",
    "push origin :renamed",
    "push origin --delete nothing",
    "push -d origin topic",
    "tag v9",
    "push origin v9",
    "push --tags",
    "push origin nothing",
    "push nowhere main",
    "push --all",
    "push -q",
  ],
  "ls-remote": [
    ...start,
    "clone -q <server>/server.git clone",
    "ls-remote",
    "ls-remote origin",
    "ls-remote --heads origin",
    "ls-remote --tags --refs origin",
    "ls-remote --symref origin HEAD",
    "ls-remote <server>/server.git main 'v*'",
    "ls-remote --exit-code origin nothing",
    "ls-remote --get-url",
    "ls-remote -q",
    "ls-remote <server>/nothing.git",
  ],
  "push refused": [
    ...start,
    "clone -q <server>/server.git clone",
    ...more,
    { write: { "clone/a.txt": "mine\n" } },
    "commit -q -a -m mine",
    "push",
    "fetch -q",
    "push",
    "push --force-with-lease=main:v1 origin main",
    "push --atomic origin main HEAD:other",
    "push --dry-run -f",
    "push --force-with-lease",
    "push -f origin v1:v2",
    "push origin v1:refs/tags/v3",
    "push --porcelain origin main main:new",
    { at: "server", run: "config receive.denyDeletes true" },
    "push origin :new",
  ],
  "fetch by address": [
    ...start,
    "clone -q <server>/server.git clone",
    ...more,
    "fetch <server>/server.git",
    "fetch <server>/server.git main:here",
    "fetch nowhere",
  ],
  "pull forward": [
    ...start,
    "clone -q <server>/server.git clone",
    "pull",
    ...more,
    "pull",
    "pull",
    "reflog -2",
    "log -g -1 --format=%gs origin/main",
    "pull -q",
    "pull origin main",
    "pull origin new:copied",
    "pull <server>/server.git",
    "pull origin nothing",
    "pull --rebase=nonsense",
    "pull --dry-run",
    "status",
  ],
  "pull forward with options": [
    ...start,
    "clone -q <server>/server.git clone",
    "reset -q --hard HEAD~1",
    "pull --ff-only -n",
    "reset -q --hard HEAD~1",
    "pull --squash",
    "reset -q --hard",
    "pull -q --tags",
    "reset -q --hard HEAD~1",
    "pull --rebase --stat origin main",
    "reset -q --hard HEAD~1",
    "-c pull.ff=only pull",
    "reset -q --hard HEAD~1",
    { write: { "clone/a.txt": "edited\n" } },
    "pull",
    "pull --rebase",
    "add a.txt",
    "pull --rebase",
    { write: { "clone/a.txt": "edited again\n" } },
    "pull --rebase",
    "pull --no-rebase",
    "-c pull.ff=nonsense pull",
    "-c pull.rebase=nonsense pull",
    "reflog",
  ],
  "pull what diverged": [
    ...start,
    "clone -q <server>/server.git clone",
    ...more,
    { write: { "clone/c.txt": "c\n" } },
    "add .",
    "commit -q -m mine",
    "pull",
    "pull --ff-only",
    "pull --rebase --ff-only",
    "-c pull.ff=only pull",
    "-c pull.ff=nothing pull",
    "log --oneline",
  ],
  "pull and merge": [
    ...start,
    "clone -q <server>/server.git clone",
    ...more,
    { write: { "clone/c.txt": "c\n" } },
    "add .",
    "commit -q -m mine",
    "pull --no-rebase",
    "log -1 --format=%an%n%B",
    "log -g -1 --format=%gs",
    "reset -q --hard HEAD^",
    "-c pull.rebase=false pull origin main new",
    "log -1 --format=%B",
    "reset -q --hard HEAD^",
    "pull --no-ff origin tag v3",
    "log -1 --format=%B",
    "reset -q --hard HEAD^",
    "pull --no-rebase --no-commit",
    "pull",
    "merge --abort",
    "switch -q -c topic",
    "pull --no-rebase <server>/server.git",
    "log -1 --format=%B",
    "reset -q --hard HEAD^",
    { write: { "clone/a.txt": "other\n" } },
    "commit -q -a -m other",
    "pull --no-rebase -q origin main",
    "diff",
    "pull",
    "merge --abort",
    "pull --rebase origin main new",
    "pull --ff-only origin main new",
  ],
  "pull and rebase": [
    ...start,
    "clone -q <server>/server.git clone",
    ...more,
    { write: { "clone/c.txt": "c\n" } },
    "add .",
    "commit -q -m mine",
    "pull --rebase",
    "log --oneline",
    "pull -r origin main",
    "reset -q --hard origin/main~1",
    { write: { "clone/a.txt": "other\n" } },
    "commit -q -a -m other",
    "-c pull.rebase=true pull -q",
    "diff",
    "rebase --abort",
    "status",
  ],
  "pull nothing to merge": [
    ...start,
    "clone -q <server>/server.git clone",
    "switch -q -c topic",
    "pull",
    "pull --rebase",
    "pull origin",
    "remote add other <server>/server.git",
    "pull",
    "pull other",
    "pull origin 'refs/heads/no*:refs/remotes/no/*'",
    "switch -q main",
    "config branch.main.merge refs/heads/gone",
    "pull",
    "checkout -q --detach",
    "pull",
    "pull --rebase origin",
    "pull nowhere",
  ],
  "a partial clone, and what is fetched later": [
    ...start,
    { at: "server", run: "config uploadpack.allowFilter true" },
    { at: "server", run: "config uploadpack.allowAnySHA1InWant true" },
    "clone -q --filter=blob:none <server>/server.git clone",
    "status",
    "log --oneline --stat",
    "show v1:a.txt",
    "show HEAD",
    "diff HEAD~1",
    "checkout -q side",
    "cat-file -p HEAD:a.txt",
    ...more,
    "fetch",
    "switch -q main",
    "merge -q origin/main",
    "blame -s a.txt",
  ],
  "a partial clone of a server that does not filter": [
    ...start,
    "clone --filter=blob:none <server>/server.git clone",
    "fetch",
    "log --oneline --stat",
  ],
  "a partial clone is still one after gc": [
    ...start,
    { at: "server", run: "config uploadpack.allowFilter true" },
    { at: "server", run: "config uploadpack.allowAnySHA1InWant true" },
    "clone -q --filter=blob:none <server>/server.git clone",
    "switch -q -c mine",
    "commit -q --allow-empty -m mine",
    "gc -q",
    // By real git, on both sides: what is not here is promised, and what is made here is not.
    { at: "clone", run: "-c remote.origin.url=nowhere fsck --strict" },
    { at: "clone", run: "repack -a -d -q" },
    "repack -a -d -q",
    "show HEAD~2:a.txt",
    "fetch <server>/server.git HEAD~1",
    "count-objects",
  ],
  "a partial clone without checkout": [
    ...start,
    { at: "server", run: "config uploadpack.allowFilter true" },
    "clone -q --filter=blob:limit=3 -n <server>/server.git clone",
    "ls-tree HEAD",
    "checkout -q main -- .",
    "status --short",
  ],
  "a server that speaks only the first protocol": [
    ...start,
    "clone <old>/server.git clone",
    ...more,
    "fetch",
    "ls-remote",
    "pull",
    { write: { "clone/mine": "mine\n" } },
    "add .",
    "commit -q -m mine",
    "push",
    "push origin HEAD:refs/heads/again :new",
    "fetch --prune",
    "log --oneline --all",
  ],
  "a server whose own history ends early": [
    ...start,
    ...more,
    { at: "server", run: "-C .. clone -q --bare --depth 1 --no-tags file://<root>/server.git short.git" },
    { at: "beside", run: "switch -q --orphan unrelated" },
    { at: "beside", run: "commit -q --allow-empty -m unrelated" },
    { at: "beside", run: "push -q ../short.git unrelated" },
    { at: "clone", run: "init -q -b main ." },
    "fetch <server>/short.git refs/heads/*:refs/remotes/short/*",
    // Of what was not taken git tells that it lacks parents.
    { at: "clone", run: "prune" },
    "fetch <server>/short.git main",
    { at: "clone", run: "prune" },
    "fetch --update-shallow <server>/short.git refs/heads/*:refs/remotes/short/*",
    "fetch <server>/short.git main:again",
    "fetch <server>/server.git main:whole",
    "log --oneline whole",
    "clone -q <old>/short.git of-the-old",
    "clone --reject-shallow <server>/short.git refused",
  ],
  "a whole history stays whole beside a server's that ends early": [
    ...start,
    { at: "server", run: "-C .. clone -q --bare --depth 1 --no-tags file://<root>/server.git short.git" },
    "clone -q <server>/server.git clone",
    "fetch --update-shallow <server>/short.git main:short",
    "fetch --update-shallow <old>/short.git main:old",
    "log --oneline short",
  ],
  "a shallow clone of a server that speaks only the first protocol": [
    ...start,
    "clone --depth 1 <old>/server.git clone",
    "log --oneline",
    "fetch --deepen 1",
    "tag",
    "fetch --unshallow",
    "log --oneline",
    "tag",
    "fetch",
    "tag",
  ],
  "protocol 1 and protocol 0, when they are asked for": [
    ...start,
    "-c protocol.version=1 clone <server>/server.git clone",
    ...more,
    "-c protocol.version=1 fetch",
    "-c protocol.version=0 ls-remote --heads",
    "-c protocol.version=0 fetch --prune",
    "-c protocol.version=3 fetch",
  ],
  "pull into an empty repository": [
    ...start,
    { at: "clone", run: "init -q -b main ." },
    "remote add origin <server>/server.git",
    "pull",
    "pull origin main side",
    "pull origin main",
    "status",
    "reflog",
  ],
};

startServers();
compareAll(scenarios);

/** What a push costs on the wire, with a server that says it can do so much. */
describe("push of a small change to a large file", () => {
  const can: Record<string, string> = {
    "as it is": "ofs-delta",
    "no offsets": "xxx-delta",
    "no thin packs": "no-thin  ",
  };

  it.each(Object.entries(can))("to a server, %s", async (name, word) => {
    const root = join(folder, `thin-${name.replace(/\W+/g, () => "-")}`);
    const [bare, clone] = [join(root, "server.git"), join(root, "clone")];
    mkdirSync(root, { recursive: true });
    const real = (...argv: string[]) =>
      execFileSync("git", argv, { cwd: root, env: environment(0), encoding: "utf8", stdio: "pipe" });
    real("init", "-q", "--bare", "-b", "main", bare);
    real("--git-dir", bare, "config", "http.receivepack", "true");
    // Nothing that deflating alone makes small.
    let state = 1;
    const line = () => {
      let text = "";
      for (let i = 0; i < 60; i++) {
        state = (state * 48_271) % 2_147_483_647;
        text += String.fromCharCode(33 + (state % 90));
      }
      return `${text}\n`;
    };
    const lines = Array.from({ length: 8000 }, line);
    let sent = 0;
    const counting: typeof fetch = async (input, init) => {
      const body = init?.body;
      if (body instanceof ReadableStream) {
        const counted = new TransformStream<Uint8Array, Uint8Array>({
          transform(part, controller) {
            sent += part.length;
            controller.enqueue(part);
          },
        });
        return fetch(input, { ...init, body: body.pipeThrough(counted), duplex: "half" } as unknown as RequestInit);
      }
      const response = await fetch(input, init);
      if (!String(input).includes("info/refs")) return response;
      return new Response(
        (await response.text()).replace("ofs-delta", () => word),
        response,
      );
    };
    const run = async (...argv: string[]) => {
      sent = 0;
      const result = await runCli(
        { fs, now: () => 1_700_000_000_000, fetch: counting },
        { argv, cwd: clone, env: environment(1) },
      );
      expect(new TextDecoder().decode(result.stderr)).not.toMatch(/fatal|error/);
      expect(result.exitCode).toBe(0);
      return sent;
    };
    mkdirSync(join(clone, "docs"), { recursive: true });
    await run("init", "-q", "-b", "main", ".");
    await run("remote", "add", "origin", `${server.origin}/thin-${name.replace(/\W+/g, () => "-")}/server.git`);
    const commit = async (text: string) => {
      writeFileSync(join(clone, "docs/large.txt"), text);
      await run("add", ".");
      await run("commit", "-q", "-m", "change");
    };
    await commit(lines.join(""));
    const whole = await run("push", "-q", "origin", "main");
    lines[4000] = "changed\n";
    await commit(lines.join(""));
    lines[17] = "changed too\n";
    await commit(lines.join(""));
    const loose = await run("push", "-q", "origin", "main");
    lines[100] = "again\n";
    await commit(lines.join(""));
    execFileSync("git", ["gc", "-q"], { cwd: clone, env: environment(1), stdio: "pipe" });
    const packed = await run("push", "-q", "origin", "main");
    lines[200] = "and again\n";
    await commit(lines.join(""));
    const fat = await run("push", "-q", "--no-thin", "origin", "main");
    expect(whole).toBeGreaterThan(300_000);
    expect(fat).toBeGreaterThan(300_000);
    if (name === "no thin packs") expect(Math.min(loose, packed)).toBeGreaterThan(300_000);
    else expect(Math.max(loose, packed)).toBeLessThan(2000);
    expect(real("--git-dir", bare, "fsck", "--strict")).toBe("");
    expect(real("--git-dir", bare, "cat-file", "-p", "main:docs/large.txt")).toBe(lines.join(""));
  });
});
