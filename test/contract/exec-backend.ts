/** The contract of `ExecBackend`: what holds in the Worker's shell and in a container alike. */
import { expect } from "vitest";
import { bytesOf, changesBy, collect, execTestsOn, type MakeExec, requestOf } from "./exec-subject.ts";

const SIGNALS = [
  ["SIGTERM", 143],
  ["SIGKILL", 137],
  ["SIGINT", 130],
] as const;
const bytes = (text: string) => new TextEncoder().encode(text);

export function execBackendContract(make: MakeExec): void {
  const test = execTestsOn(make);

  test("start: events are numbered from 1 without gaps and end with one exit", async (_, run) => {
    const { events, stdout, stderr, exit } = await run("echo out; echo err >&2; echo more; exit 3");
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.filter(({ name }) => name === "exit").length).toBe(1);
    expect([stdout, stderr]).toEqual(["out\nmore\n", "err\n"]);
    expect(exit).toMatchObject({ state: "exited", exitCode: 3 });
  });

  test("start: a string runs through a shell, an argv does not", async (_, run) => {
    expect((await run('x="a b"; printf "%s," $x "$x"')).stdout).toBe("a,b,a b,");
    const words = ["$HOME", "*", "a b", "'", '"', "", "-n", "é\n", ";exit 9"];
    const { stdout, exit } = await run(["printf", "%s|", ...words]);
    expect([stdout, exit.exitCode]).toEqual([words.map((word) => `${word}|`).join(""), 0]);
  });

  test("start: uses the caller's cwd and env", async ({ cwd, fs }, run) => {
    await fs.mkdir(`${cwd}/sub dir`);
    const { stdout } = await run('pwd; echo "$NAME:$OTHER"', {
      cwd: `${cwd}/sub dir`,
      env: { NAME: "a 'b'", OTHER: "" },
    });
    expect(stdout).toBe(`${cwd}/sub dir\na 'b':\n`);
  });

  test("start: refuses a missing cwd and runs nothing", async (subject) => {
    const request = requestOf(subject, "echo ran > ../ran.txt", { cwd: `${subject.cwd}/none` });
    await expect(subject.backend.start(request)).rejects.toThrow("none");
    expect(await subject.fs.exists(`${subject.cwd}/ran.txt`)).toBe(false);
  });

  test("start: standard input is bytes or a stream of them", async (_, run) => {
    expect((await run("cat", { stdin: bytes("héllo\n") })).stdout).toBe("héllo\n");
    const stdin = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of ["one\n", "two\n", "three"]) controller.enqueue(bytes(part));
        controller.close();
      },
    });
    expect((await run("wc -l; cat", { stdin })).stdout.trim().split("\n")[0]?.trim()).toBe("2");
    expect((await run("cat; echo end")).stdout).toBe("end\n");
  });

  test("start: passes bytes that are not text unchanged", async ({ cwd, fs }, run) => {
    const odd = Uint8Array.from([0xff, 0, 0xfe, 0xc3, 0x28, 0x80, 10]);
    await fs.writeFile(`${cwd}/odd`, odd);
    expect(bytesOf((await run("cat odd")).events, "stdout")).toEqual([...odd]);
    expect(bytesOf((await run("cat", { stdin: odd })).events, "stdout")).toEqual([...odd]);
  });

  test("start: returns long output completely", async (_, run) => {
    const { stdout } = await run("seq 1 100000");
    expect(stdout).toBe(Array.from({ length: 100_000 }, (_, i) => `${i + 1}\n`).join(""));
  });

  test("start: reads and writes the workspace's files", async ({ cwd, fs }, run) => {
    await fs.writeFile(`${cwd}/in.txt`, "from outside\n");
    const { stdout } = await run(
      "cat in.txt; mkdir -p a/b; printf made > a/b/out.txt; ln -s a/b/out.txt link; rm in.txt",
    );
    expect(stdout).toBe("from outside\n");
    expect(await fs.readFile(`${cwd}/a/b/out.txt`, "utf8")).toBe("made");
    expect(await fs.readlink(`${cwd}/link`)).toBe("a/b/out.txt");
    expect(await fs.exists(`${cwd}/in.txt`)).toBe(false);
  });

  test("start: changes are logged under the call", async ({ cwd, fs }, run) => {
    await run("echo x > by-call.txt", { callId: "call of the test", actor: "tester" });
    const changes = await changesBy(fs, "call of the test");
    expect(changes.map(({ path }) => path)).toContain(`${cwd}/by-call.txt`);
  });

  test("start: refuses an id that another command has", async (subject, run) => {
    const once = requestOf(subject, "echo ran >> runs.txt; sleep 0.3", { id: "only-once" });
    const first = await subject.backend.start(once);
    await expect(subject.backend.start(once)).rejects.toThrow("only-once");
    await collect(first);
    expect((await run("cat runs.txt")).stdout).toBe("ran\n");
  });

  test("start: a missing command exits with 127 and is named", async (_, run) => {
    const { stderr, exit } = await run("no-such-command --flag");
    expect([exit.state, exit.exitCode]).toEqual(["exited", 127]);
    expect(stderr).toContain("no-such-command: command not found");
  });

  test("timeoutMs: stops the command with 124", async ({ cwd, fs }, run) => {
    // Long enough for `echo` on a busy machine.
    const { stdout, exit } = await run("echo begun; sleep 30; echo late > late.txt", { timeoutMs: 2000 });
    expect([stdout, exit.state, exit.exitCode]).toEqual(["begun\n", "timedout", 124]);
    expect(await fs.exists(`${cwd}/late.txt`)).toBe(false);
  });

  test("timeoutMs: stops a loop that never waits", async (_, run) => {
    const { exit } = await run("while true; do :; done", { timeoutMs: 200 });
    expect([exit.state, exit.exitCode]).toEqual(["timedout", 124]);
  });

  for (const [signal, code] of SIGNALS) {
    test(`kill: ${signal}`, async (subject) => {
      const process = await subject.backend.start(requestOf(subject, "echo begun; sleep 30; echo late > late.txt"));
      const started = Promise.withResolvers<void>();
      const ran = collect(process, () => started.resolve());
      await started.promise;
      await process.kill(signal);
      const { exit, stdout } = await ran;
      expect([stdout, exit]).toEqual(["begun\n", expect.objectContaining({ state: "killed", exitCode: code, signal })]);
      await process.kill("SIGKILL");
      expect(await subject.fs.exists(`${subject.cwd}/late.txt`)).toBe(false);
    });
  }

  test("attach: gives every caller the events after a seq", async (subject) => {
    const request = requestOf(subject, "echo one; sleep 0.2; echo two; sleep 0.2; echo three");
    const process = await subject.backend.start(request);
    for await (const event of process.events) if (event.seq === 1) break;
    const again = await subject.backend.attach(request, 1);
    const { events, stdout, exit } = await collect(again!);
    expect([events[0]?.seq, stdout, exit.exitCode]).toEqual([2, "two\nthree\n", 0]);
  });

  test("attach: null for an unknown id", async ({ backend }) => {
    expect(await backend.attach({ id: "never-started", callId: "never-started" }, 0)).toBeNull();
  });

  test("write: sends input where the backend supports it, else EPIPE", async (subject) => {
    const process = await subject.backend.start(requestOf(subject, "head -n 1"));
    if (!subject.can.liveInput) {
      await expect(process.write(bytes("x\n"))).rejects.toMatchObject({ code: "EPIPE" });
      expect((await collect(process)).exit.exitCode).toBe(0);
      return;
    }
    await process.write(bytes("given later\n"));
    await process.closeStdin();
    expect((await collect(process)).stdout).toBe("given later\n");
  });

  test("start: does not wait for a background child where children exist, else waits", async ({ can }, run) => {
    // A run that waited for its background child would reach the test's timeout.
    const { stdout, exit } = await run(can.background ? "sleep 600 & echo front" : "sleep 0.2 & echo front");
    expect([stdout, exit.exitCode]).toEqual(["front\n", 0]);
  });

  test("trap EXIT: runs at the end of the script; trap ERR runs in a container and is refused in the Worker", async ({
    can,
  }, run) => {
    const { stdout, stderr } = await run("trap 'echo bye' EXIT; echo hello");
    expect([stdout, stderr]).toEqual(["hello\nbye\n", ""]);
    const failing = await run("trap 'echo oops' ERR; false; echo on");
    if (can.traps) expect([failing.stdout, failing.stderr]).toEqual(["oops\non\n", ""]);
    else
      expect([failing.stdout, failing.stderr]).toEqual([
        "on\n",
        expect.stringContaining("trap: ERR: the Worker's shell"),
      ]);
  });
}
