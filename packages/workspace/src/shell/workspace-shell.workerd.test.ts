/** `workspace.shell` in its own object: records, output, the spool, what is left when the object was evicted in between. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Workspace, type WorkspaceOptions } from "@cloudflare/workspace";
import { Workspace as Core } from "@cloudflare/workspace/core";
import {
  createShell,
  type ExecEvent,
  type ExecHandle,
  type ExecOptions,
  openContainer,
  ShellError,
} from "@cloudflare/workspace/shell";
import { DaemonFixture } from "@workspace/testing/daemon-fixture";
import { describe, expect, it } from "vitest";

type Options = Omit<WorkspaceOptions, "storage">;

function inWorkspace<T>(name: string, body: (ws: Workspace) => Promise<T>, options: Options = {}): Promise<T> {
  return runInDurableObject(env.BARE.getByName(name), (_, { storage }) => body(new Workspace({ storage, ...options })));
}

async function eventsOf(handle: ExecHandle): Promise<ExecEvent[]> {
  const events: ExecEvent[] = [];
  for await (const event of handle) events.push(event);
  return events;
}

describe("shell.exec", () => {
  it("gives events, a result, and what was changed under one call id", async () => {
    await inWorkspace("exec", async (ws) => {
      const run = await ws.shell.exec("echo héllo; echo oops >&2; echo x > made.txt; mkdir d; touch t; rm t", {
        encoding: "utf8",
      });
      expect(await eventsOf(run)).toEqual([
        { id: run.id, seq: 1, name: "stdout", value: "héllo\n" },
        { id: run.id, seq: 2, name: "stderr", value: "oops\n" },
        { id: run.id, seq: 5, name: "exit", value: { state: "exited", exitCode: 0 } },
      ]);
      expect(await run.result()).toEqual({
        id: run.id,
        state: "exited",
        exitCode: 0,
        stdout: "héllo\n",
        stderr: "oops\n",
        truncated: false,
        output: null,
        ranOn: "worker",
        callId: `exec-${run.id}`,
        changed: ["/workspace/d", "/workspace/made.txt"],
      });
      const { changes } = await ws.fs.changes({ path: "/workspace/made.txt" });
      expect(changes.map(({ callId }) => callId)).toEqual(
        [`exec-${run.id}`, `exec-${run.id}`].slice(0, changes.length),
      );
    });
  });

  it("keeps the caller's actor and call id", async () => {
    await inWorkspace("exec as", async (ws) => {
      const run = await ws.as({ actor: "agent", callId: "call 7" }).shell.exec("echo x > a; git init -q");
      expect((await run.result()).callId).toBe("call 7");
      const { changes } = await ws.fs.changes();
      const by = (path: string) => changes.filter((change) => change.path === path).map((c) => [c.actor, c.callId]);
      expect(by("/workspace/a")[0]).toEqual(["agent", "call 7"]);
      expect(by("/workspace/.git/HEAD")[0]).toEqual(["agent", "call 7"]);
    });
  });

  it("quotes the values of a template", async () => {
    await inWorkspace("template", async (ws) => {
      const file = "a 'b' $(c) \"d\".txt";
      await ws.fs.writeFile(`/workspace/${file}`, "found\n");
      expect((await (await ws.shell.exec`cat ${file}`).result()).stdout).toBe("found\n");
      expect((await (await ws.shell.exec`printf %s, ${["x y", 3, true]} ${""}`).result()).stdout).toBe("x y,3,true,,");
      await expect(ws.shell.exec`cat ${{} as never}`).rejects.toThrow("EINVAL");
    });
  });

  it("gives bytes unless text is asked for, and joins characters", async () => {
    await inWorkspace("encoding", async (ws) => {
      const command =
        "echo é | head -c 1; echo é | tail -c 2; echo 😀 | head -c 2; printf 😀 | tail -c 2; echo é | head -c 1";
      const text = await eventsOf(await ws.shell.exec(command, { encoding: "utf8" }));
      expect(text.map(({ value }) => value).slice(0, -1)).toEqual(["é\n", "😀", "\ufffd"]);
      const { stdout } = await (await ws.shell.exec(command)).result();
      expect([...stdout]).toEqual([0xc3, 0xa9, 10, 0xf0, 0x9f, 0x98, 0x80, 0xc3]);
    });
  });

  it("refuses what makes no sense, and changes nothing", async () => {
    await inWorkspace("refusals", async (ws) => {
      const bad: [string | string[], object, string][] = [
        ["", {}, "the command is empty"],
        [[], {}, "the first word of a command is empty"],
        ["a\0b", {}, "NUL"],
        [["a", 1 as never], {}, "must be text"],
        ["ls", { id: "../x" }, "an id is"],
        ["ls", { cwd: "/nowhere" }, '"/nowhere" is no directory'],
        ["ls", { env: { "A=B": "" } }, "is no name of a variable"],
        ["ls", { timeoutMs: -1 }, "timeoutMs"],
        ["ls", { encoding: "latin1" }, "encoding"],
        ["ls", { backend: "moon" }, "backend"],
        ["ls", { stdin: 5 }, "stdin"],
      ];
      for (const [command, options, words] of bad) {
        const error = await ws.shell.exec(command, options as ExecOptions).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ShellError);
        expect(error).toMatchObject({ code: "EINVAL", message: expect.stringContaining(words) });
      }
      await expect(ws.shell.exec("ls", { backend: "container" })).rejects.toMatchObject({ code: "ENOSYS" });
      expect(await ws.shell.list()).toEqual([]);
    });
  });

  it("is stopped by a signal, a timeout, and a limit of work", async () => {
    const settings = { shellSettings: { worker: { commands: 500, loopIterations: 500 } } };
    await inWorkspace(
      "stops",
      async (ws) => {
        const stop = new AbortController();
        const run = await ws.shell.exec("echo a; sleep 30; echo b > late", { signal: stop.signal, encoding: "utf8" });
        await run[Symbol.asyncIterator]().next();
        stop.abort();
        expect(await run.result()).toMatchObject({ state: "killed", exitCode: 143, signal: "SIGTERM", stdout: "a\n" });
        expect(await ws.fs.exists("/workspace/late")).toBe(false);
        await expect(ws.shell.exec("ls", { signal: AbortSignal.abort() })).rejects.toThrow();
        const late = await ws.shell.exec("sleep 30", { timeoutMs: 20 });
        expect(await late.result()).toMatchObject({ state: "timedout", exitCode: 124 });
        const busy = await ws.shell.exec("while :; do :; done", { encoding: "utf8" });
        const { state, exitCode, stderr } = await busy.result();
        expect([state, exitCode]).toEqual(["exited", 126]);
        expect(stderr).toContain("the Worker's shell counts its work; it needs a container");
      },
      settings,
    );
  });

  it("says that a file is too large for it, which its commands take for one that is not there", async () => {
    const reported =
      "bash: /workspace/large: File too large: the Worker's shell cannot hold it; it needs a container\n";
    await inWorkspace(
      "large",
      async (ws) => {
        await ws.fs.writeFile("/workspace/large", "x".repeat(2000));
        for (const command of ["cat large", "wc -l large", "md5sum large", "tail -n 1 large", "cat < large"]) {
          const { exitCode, stderr } = await (await ws.shell.exec(command, { encoding: "utf8" })).result();
          expect([command, exitCode === 0, stderr.split(reported).length - 1]).toEqual([command, false, 1]);
        }
        const missing = await (await ws.shell.exec("cat gone", { encoding: "utf8" })).result();
        expect(missing.stderr).toBe("cat: gone: No such file or directory\n");
      },
      { limits: { readFileBytes: 1000 } },
    );
  });

  it("names the container for what it lacks, and reaches no host by itself", async () => {
    await inWorkspace("lacks", async (ws) => {
      const stderrOf = async (command: string) =>
        (await (await ws.shell.exec(command, { encoding: "utf8" })).result()).stderr;
      expect(await stderrOf("npm test 2>&1 >/dev/null; npm test")).toBe(
        "bash: npm: command not found: the Worker's shell does not have it; it needs a container\n",
      );
      expect(await stderrOf("coproc cat; (")).toContain("if it is right for bash, it needs a container");
      expect(await stderrOf("git ls-remote https://example.com/x.git")).toContain(
        'a command may not reach "example.com": allow it with shellSettings.network',
      );
    });
  });
});

describe("output", () => {
  it("is kept within a budget, head and tail, and whole in a file that git does not see", async () => {
    await inWorkspace("spool", async (ws) => {
      await (await ws.shell.exec("git init -q")).result();
      const run = await ws.shell.exec("seq 1 300000; echo é >&2", { encoding: "utf8" });
      const { stdout, stderr, truncated, output } = await run.result();
      const whole = Array.from({ length: 300_000 }, (_, i) => `${i + 1}\n`).join("");
      expect([truncated, stderr]).toEqual([true, "é\n"]);
      expect(stdout.length).toBeLessThan(1024 * 1024 + 200);
      expect(stdout.startsWith("1\n2\n") && stdout.endsWith("299999\n300000\n")).toBe(true);
      const left = whole.length + 3 - 1024 * 1024;
      expect(stdout).toContain(`\n[... ${left} bytes left out here; the whole is in ${output?.path} ...]\n`);
      expect(output).toEqual({
        path: `/workspace/.workspace/exec/${run.id}.log`,
        bytes: whole.length + 3,
        complete: true,
      });
      expect(await ws.fs.readFile(output!.path, "utf8")).toBe(`${whole}é\n`);
      const found = await (
        await ws.shell.exec`grep -c 9999 ${output!.path}; git status --porcelain; git add -A; git ls-files`
      ).result();
      expect(found.stdout).toBe("57\n");
      const events = await eventsOf(await ws.shell.get(run.id, { encoding: "utf8" }));
      expect(
        events
          .map(({ value }) => value)
          .slice(0, -1)
          .join(""),
      ).toBe(`${whole}é\n`);
      await ws.fs.writeFile(output!.path, "not it");
      await expect((await ws.shell.get(run.id)).result()).rejects.toMatchObject({ code: "EIO" });
      await ws.shell.remove(run.id);
      expect(await ws.fs.exists(output!.path)).toBe(false);
    });
  });

  it("beyond the file's limit keeps the newest, and says what is gone", async () => {
    const limits = { spoolFrom: 100, spoolBytes: 3_000, pageBytes: 500, keptBytes: 1_000 };
    await inWorkspace(
      "over the spool",
      async (ws) => {
        const run = await ws.shell.exec("for i in $(seq 1 80); do printf '%0100d' $i; done", { encoding: "utf8" });
        const { stdout, truncated, output } = await run.result();
        expect([truncated, output?.complete]).toEqual([true, false]);
        expect(output?.bytes).toBeLessThanOrEqual(3_000);
        expect(stdout.startsWith("0".repeat(99)) && stdout.endsWith("80")).toBe(true);
        const first = (await ws.shell.get(run.id))[Symbol.asyncIterator]();
        const read = (async () => {
          for (;;) if ((await first.next()).done) return;
        })();
        await expect(read).rejects.toMatchObject({ code: "EIO", message: expect.stringContaining("resume after") });
      },
      { shellSettings: { limits } },
    );
  });

  it("costs three rows and three statements for a small command", async () => {
    await runInDurableObject(env.BARE.getByName("cost"), async (_, { storage }) => {
      const ws = new Workspace({ storage });
      await (await ws.shell.exec("true")).result();
      const seen: string[] = [];
      const exec = storage.sql.exec.bind(storage.sql);
      Object.defineProperty(storage.sql, "exec", {
        configurable: true,
        value: (sql: string, ...values: SqlStorageValue[]) => {
          seen.push(sql.split(" ").slice(0, 3).join(" "));
          return exec(sql, ...values);
        },
      });
      await (await ws.shell.exec("echo hello")).result();
      expect(seen).toEqual(["INSERT INTO ws_exec", "INSERT INTO ws_exec_page", "UPDATE ws_exec SET"]);
    });
  });
});

describe("records", () => {
  it("a search of what is in a pipe changes nothing in the workspace", async () => {
    await inWorkspace("piped", async (ws) => {
      const before = (await ws.fs.changes()).cursor;
      const run = await ws.shell.exec("printf 'a\\nb\\n' | grep -n b; printf 'a\\nb\\n' | rg -n b", {
        encoding: "utf8",
      });
      expect((await run.result()).stdout).toBe("2:b\n2:b\n");
      expect((await ws.fs.changes({ since: before })).changes).toEqual([]);
    });
  });

  it("list, get from any seq, remove", async () => {
    await inWorkspace("records", async (ws) => {
      const command = "echo 1; echo 2; until [ -e go ]; do sleep 0.02; done; echo 3";
      const run = await ws.shell.exec(command, { id: "mine", encoding: "utf8" });
      await expect(ws.shell.exec("echo again", { id: "mine" })).rejects.toMatchObject({ code: "EEXIST" });
      await expect(ws.shell.remove("mine")).rejects.toMatchObject({ code: "EBUSY" });
      expect(await ws.shell.list({ state: "running" })).toMatchObject([
        { id: "mine", state: "running", exitCode: null },
      ]);
      const tail = await ws.shell.get("mine", { resume: 2, encoding: "utf8" });
      await ws.fs.writeFile("/workspace/go", "");
      expect((await eventsOf(tail)).map(({ seq, value }) => [seq, value])).toEqual([
        [3, "3\n"],
        [6, { state: "exited", exitCode: 0 }],
      ]);
      expect((await run.result()).stdout).toBe("1\n2\n3\n");
      const after = await ws.shell.get("mine", { resume: "tail", encoding: "utf8" });
      expect((await eventsOf(after)).map(({ name }) => name)).toEqual(["exit"]);
      expect(await ws.shell.list()).toMatchObject([
        {
          id: "mine",
          command,
          cwd: "/workspace",
          state: "exited",
          exitCode: 0,
          stdoutBytes: 6,
        },
      ]);
      await ws.shell.remove("mine");
      await expect(ws.shell.get("mine")).rejects.toMatchObject({ code: "ENOENT" });
      await expect(ws.shell.remove("mine")).rejects.toMatchObject({ code: "ENOENT" });
      await expect(ws.shell.exposePort(3000)).rejects.toMatchObject({ code: "ENOSYS" });
      expect(await ws.shell.ports()).toEqual([]);
    });
  });

  it("after an eviction: what was over is as it was, what ran is lost, and nothing runs again", async () => {
    const stub = () => env.BARE.getByName("evicted");
    const inside = <T>(body: (ws: Workspace) => Promise<T>) =>
      runInDurableObject(stub(), (_, { storage }) =>
        body(new Workspace({ storage, shellSettings: { limits: { pageDelayMs: 20 } } })),
      );
    const before = await inside(async (ws) => {
      const done = await (await ws.shell.exec("echo done; exit 4", { id: "done", encoding: "utf8" })).result();
      const cut = await ws.shell.exec("echo run >> runs.txt; echo é begun; sleep 60; echo late", { id: "cut" });
      await cut[Symbol.asyncIterator]().next();
      // Its page is written after `pageDelayMs`.
      await new Promise((resolve) => setTimeout(resolve, 200));
      return done;
    });
    // While a command runs the object is not evicted by itself: it is taken away.
    await runInDurableObject(stub(), (_, state) => state.abort()).catch(() => {});
    await inside(async (ws) => {
      expect(await (await ws.shell.get("done", { encoding: "utf8" })).result()).toEqual(before);
      expect(await ws.shell.list()).toMatchObject([{ id: "cut", state: "lost", exitCode: null }, { id: "done" }]);
      const cut = await ws.shell.get("cut", { encoding: "utf8" });
      expect((await eventsOf(cut)).map(({ seq, name, value }) => [seq, name, value])).toEqual([
        [1, "stdout", "é begun\n"],
        [
          4,
          "exit",
          expect.objectContaining({ state: "lost", exitCode: null, reason: expect.stringContaining("restarted") }),
        ],
      ]);
      expect(await cut.result()).toMatchObject({
        stdout: "é begun\n",
        state: "lost",
        changed: ["/workspace/runs.txt"],
      });
      await expect(ws.shell.exec("echo run >> runs.txt", { id: "cut" })).rejects.toMatchObject({ code: "EEXIST" });
      expect(await ws.fs.readFile("/workspace/runs.txt", "utf8")).toBe("run\n");
    });
    await evictDurableObject(stub());
    await inside(async (ws) => expect((await (await ws.shell.get("cut")).result()).state).toBe("lost"));
  });

  it("core has the shell it is given, and says so when it has none", async () => {
    await runInDurableObject(env.BARE.getByName("core shell"), async (_, { storage }) => {
      await expect(new Core({ storage }).shell.exec("ls")).rejects.toThrow("made without a shell");
      const ws = new Core({ storage, shell: createShell });
      const { stdout, stderr } = await (await ws.shell.exec("echo core; git status", { encoding: "utf8" })).result();
      expect([stdout, stderr]).toEqual(["core\n", expect.stringContaining("made without git")]);
    });
  });

  it("core connects to a sandbox with the factory it is given, and refuses one without it", async () => {
    await using lab = await DaemonFixture.start();
    await runInDurableObject(env.BARE.getByName("core sandbox"), async (_, { storage }) => {
      const { sandbox } = lab;
      expect(() => new Core({ storage, sandbox })).toThrow(
        expect.objectContaining({ code: "ENOSYS", message: expect.stringContaining("container: openContainer") }),
      );
      const ws = new Core({ storage, sandbox, shell: createShell, container: openContainer });
      const result = await (await ws.shell.exec("echo made > made; cat made", { encoding: "utf8" })).result();
      expect(result).toMatchObject({ stdout: "made\n", ranOn: "container" });
      expect(await ws.fs.readFile("/workspace/made", "utf8")).toBe("made\n");
    });
  });
});
