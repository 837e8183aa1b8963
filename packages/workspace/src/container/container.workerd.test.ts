import { containerOn, DaemonFixture, gather, run, treeOf } from "@workspace/testing/daemon-fixture";
import { inObject } from "@workspace/testing/in-object";
import { describe, expect, it } from "vitest";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("the container backend", () => {
  it("start pushes, runs and pulls, and the exit says how much went each way", () =>
    inObject(async ({ fs, volume }) => {
      await using lab = await DaemonFixture.start();
      const container = containerOn(volume, lab);
      await fs.writeFile("/workspace/in.txt", "hello");
      const { stdout, stderr, exit } = await run(
        container,
        "cat in.txt; echo oops >&2; tr a-z A-Z < in.txt > out.txt; exit 3",
      );
      expect([stdout, stderr]).toEqual(["hello", "oops\n"]);
      expect(exit).toMatchObject({ state: "exited", exitCode: 3 });
      expect(exit.sync).toMatchObject({
        pushed: { entries: 1, bytes: 5 },
        pulled: { entries: 1, bytes: 5 },
        skipped: [],
        conflicts: [],
      });
      expect(await fs.readFile("/workspace/out.txt", "utf8")).toBe("HELLO");
      expect(await treeOf(fs)).toEqual(await lab.tree());
      const again = await run(container, "true");
      expect(again.exit.sync).toMatchObject({ pushed: { entries: 0 }, pulled: { entries: 0 } });
    }));

  it("start runs an argv without a shell, with env, cwd and stdin, and refuses what cannot start", () =>
    inObject(async ({ fs, volume }) => {
      await using lab = await DaemonFixture.start();
      const container = containerOn(volume, lab);
      await fs.mkdir("/workspace/app");
      expect((await run(container, ["printf", "%s|", "a b", "$HOME"])).stdout).toBe("a b|$HOME|");
      expect((await run(container, 'echo "$X $PWD"', { env: { X: "1 2" }, cwd: "/workspace/app" })).stdout).toBe(
        `1 2 ${lab.root}/app\n`,
      );
      expect((await run(container, "cat", { stdin: bytes("in") })).stdout).toBe("in");
      await expect(run(container, ["no-such-program"])).rejects.toMatchObject({ code: "ENOENT" });
      await expect(run(container, "true", { cwd: "/etc" })).rejects.toMatchObject({ code: "EINVAL" });
      await expect(run(container, "true", { cwd: "/workspace/none" })).rejects.toMatchObject({ code: "ENOENT" });
      await run(container, "true", { id: "once" });
      await expect(run(container, "true", { id: "once" })).rejects.toMatchObject({ code: "EEXIST" });
    }));

  it("timeouts and kills reach the whole tree, and a child that keeps the pipe open hangs nothing", () =>
    inObject(async ({ volume }) => {
      await using lab = await DaemonFixture.start();
      const container = containerOn(volume, lab);
      const late = await run(container, "sleep 60 & (setsid sleep 61 &) ; sleep 62", { timeoutMs: 300 });
      expect(late.exit).toMatchObject({ state: "timedout", exitCode: 124 });
      expect((await lab.processes()).filter((line) => line.startsWith("sleep"))).toEqual([]);
      const left = await run(container, "sleep 30 & echo started");
      expect([left.stdout, left.exit.exitCode]).toEqual(["started\n", 0]);
      const process = await container.backend.start({
        id: "k",
        command: "echo go; sleep 60",
        cwd: "/workspace",
        env: {},
        stdin: null,
        timeoutMs: 0,
        callId: "k",
      });
      const events = process.events[Symbol.asyncIterator]();
      await events.next();
      await process.kill("SIGKILL");
      expect((await events.next()).value).toMatchObject({
        name: "exit",
        value: { state: "killed", exitCode: 137, signal: "SIGKILL" },
      });
    }));

  it("attach goes on after a cut without loss or repetition, and a container that died is lost", () =>
    inObject(async ({ volume }) => {
      await using lab = await DaemonFixture.start();
      const container = containerOn(volume, lab);
      const start = (id: string, command: string) =>
        container.backend.start({ id, command, cwd: "/workspace", env: {}, stdin: null, timeoutMs: 0, callId: id });
      const process = await start("cut", "for i in $(seq 200); do echo line $i; sleep 0.002; done");
      const reading = gather(process.events);
      for (let i = 0; i < 4; i++) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        await lab.cut();
      }
      const { stdout, events } = await reading;
      expect(stdout).toBe(Array.from({ length: 200 }, (_, i) => `line ${i + 1}\n`).join(""));
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
      const again = await container.backend.attach({ id: "cut", callId: "cut" }, 0);
      expect((await gather(again!.events)).stdout).toBe(stdout);
      expect(await container.backend.attach({ id: "never", callId: "never" }, 0)).toBeNull();
      const doomed = gather((await start("doomed", "sleep 60")).events);
      await new Promise((resolve) => setTimeout(resolve, 50));
      await lab.restart();
      expect((await doomed).exit).toMatchObject({ state: "lost", exitCode: null });
    }));

  it("secret opens a daemon that has one from its start, and its previewed server gets the Origin of the page", () =>
    inObject(async ({ volume }) => {
      await using lab = await DaemonFixture.start({ secret: true });
      const previewUrl = async (port: number) => `port:${port}`;
      const container = containerOn(volume, lab, { secret: lab.secret, previewUrl });
      const server = `const s = require("http").createServer((q, r) => r.end(JSON.stringify(q.headers)));
s.listen(0, "127.0.0.1", () => require("fs").writeFileSync("port", String(s.address().port)))`;
      const serving = run(container, ["node", "-e", server]);
      const port = await waitFor(async () => Number((await run(container, "cat port 2>/dev/null || true")).stdout));
      await container.exposePort(port);
      const headers = { Origin: "https://preview.example", "X-Workspace-Origin": "https://forged.example" };
      const answer = await container.proxyPort(new Request("https://preview.example/x", { headers }), port);
      const got = (await answer.json()) as Record<string, string>;
      expect([answer.status, got.origin, got["x-workspace-origin"], got["x-workspace-secret"]]).toEqual([
        200,
        "https://preview.example",
        undefined,
        undefined,
      ]);
      await lab.kill("node");
      await serving;
    }));

  it("a daemon that has a secret from its start refuses a workspace without it", () =>
    inObject(async ({ volume }) => {
      await using lab = await DaemonFixture.start({ secret: true });
      await expect(run(containerOn(volume, lab), "echo mine")).rejects.toMatchObject({ code: "EAUTH" });
    }));
});

async function waitFor<T>(look: () => Promise<T>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found) return found;
  }
}
