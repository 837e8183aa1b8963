/** The shell through a binding: events from the last one seen, quoting at the caller, and what a cut or an eviction leaves. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { type ExecEvent, type ExecHandle, getWorkspace, WorkspaceRpcError } from "@cloudflare/workspace";
import { ShellError } from "@cloudflare/workspace/shell";
import { describe, expect, it } from "vitest";

const quick = { watch: { waitMs: 200, pauseMs: 5 } };

async function eventsOf(handle: ExecHandle): Promise<ExecEvent[]> {
  const events: ExecEvent[] = [];
  for await (const event of handle) events.push(event);
  return events;
}

describe("getWorkspace().shell", () => {
  it("gives the same events and result as inside", async () => {
    using ws = getWorkspace(env.WORKSPACE, "shell rpc", { actor: "caller", callId: "call 1" });
    const run = await ws.shell.exec("echo é; echo err >&2; sleep 0.05; echo two; echo x > made", { encoding: "utf8" });
    expect(await eventsOf(run)).toEqual([
      { id: run.id, seq: 1, name: "stdout", value: "é\n" },
      { id: run.id, seq: 2, name: "stderr", value: "err\n" },
      { id: run.id, seq: 3, name: "stdout", value: "two\n" },
      { id: run.id, seq: 6, name: "exit", value: { state: "exited", exitCode: 0 } },
    ]);
    const result = await run.result();
    const inside = await runInDurableObject(env.WORKSPACE.getByName("shell rpc"), async (object) =>
      (await object.workspace.shell.get(run.id, { encoding: "utf8" })).result(),
    );
    expect(result).toEqual(inside);
    expect(result).toMatchObject({
      stdout: "é\ntwo\n",
      ranOn: "worker",
      callId: "call 1",
      changed: ["/workspace/made"],
    });
    expect(await ws.shell.list()).toMatchObject([{ id: run.id, actor: "caller", state: "exited" }]);
    const rest = await ws.shell.get(run.id, { resume: 2, encoding: "utf8" });
    expect((await eventsOf(rest)).map(({ seq }) => seq)).toEqual([3, 6]);
    await ws.shell.remove(run.id);
    await expect(ws.shell.get(run.id)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("quotes at the caller, sends argv and input as they are", async () => {
    using ws = getWorkspace(env.WORKSPACE, "shell rpc words");
    const odd = "a 'b' $HOME `c`\n\"d\"";
    expect((await (await ws.shell.exec`printf %s ${odd}`).result()).stdout).toBe(odd);
    const argv = await ws.shell.exec(["printf", "%s", odd], { encoding: "utf8" });
    expect((await argv.result()).stdout).toBe(odd);
    const input = crypto.getRandomValues(new Uint8Array(65_536));
    const large = new Uint8Array(3_000_000).fill(7);
    expect((await (await ws.shell.exec("cat", { stdin: input })).result()).stdout).toEqual(input);
    expect((await (await ws.shell.exec("wc -c", { stdin: large, encoding: "utf8" })).result()).stdout.trim()).toBe(
      "3000000",
    );
    const stdin = new Blob(["from ", "a stream"]).stream();
    expect((await (await ws.shell.exec("cat", { stdin, encoding: "utf8" })).result()).stdout).toBe("from a stream");
    const long = await (await ws.shell.exec("seq 1 300000", { encoding: "utf8" })).result();
    expect([long.truncated, long.stdout.includes("bytes left out here")]).toEqual([true, true]);
  });

  it("kills by a call, and by a signal of the caller's", async () => {
    using ws = getWorkspace(env.WORKSPACE, "shell rpc kill", quick);
    const run = await ws.shell.exec("sleep 30");
    await run.kill("SIGKILL");
    expect(await run.result()).toMatchObject({ state: "killed", exitCode: 137 });
    const stop = new AbortController();
    const other = await ws.shell.exec("sleep 30", { signal: stop.signal });
    stop.abort();
    expect(await other.result()).toMatchObject({ state: "killed", exitCode: 143 });
  });

  it("refuses with the shell's own class", async () => {
    using ws = getWorkspace(env.WORKSPACE, "shell rpc errors");
    await ws.shell.exec("true", { id: "one" });
    const error = await ws.shell.exec("true", { id: "one" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ShellError);
    expect(error).toMatchObject({ code: "EEXIST", message: 'EEXIST: there is an execution "one" already' });
    await expect(ws.shell.exec("ls", { cwd: 5 as never })).rejects.toThrow('option "cwd" does not take 5');
    await expect(ws.shell.exec("ls", { encoding: "x" as never })).rejects.toMatchObject({ code: "EINVAL" });
  });

  it("a disposed client lets go at once, and the command goes on", async () => {
    const ws = getWorkspace(env.WORKSPACE, "shell rpc dispose");
    const run = await ws.shell.exec("echo begun; sleep 0.3; echo done > done.txt", { encoding: "utf8" });
    const reading = eventsOf(run);
    reading.catch(() => {});
    ws[Symbol.dispose]();
    await expect(reading).rejects.toBeInstanceOf(WorkspaceRpcError);
    using later = getWorkspace(env.WORKSPACE, "shell rpc dispose");
    expect((await (await later.shell.get(run.id, { encoding: "utf8" })).result()).state).toBe("exited");
    expect(await later.fs.exists("/workspace/done.txt")).toBe(true);
  });

  it("after the object was taken away: every event once, then lost; and nothing ran twice", async () => {
    using ws = getWorkspace(env.WORKSPACE, "shell rpc cut", quick);
    const run = await ws.shell.exec("echo run >> runs.txt; echo 1; sleep 1.2; echo 2; sleep 60", { encoding: "utf8" });
    const seen: [number, unknown][] = [];
    for await (const event of run) {
      seen.push([event.seq, event.value]);
      if (event.seq !== 2) continue;
      await new Promise((resolve) => setTimeout(resolve, 100));
      await runInDurableObject(env.WORKSPACE.getByName("shell rpc cut"), (_, state) => state.abort()).catch(() => {});
    }
    expect(seen).toEqual([
      [1, "1\n"],
      [2, "2\n"],
      [expect.any(Number), expect.objectContaining({ state: "lost", exitCode: null })],
    ]);
    expect(await run.result()).toMatchObject({ state: "lost", exitCode: null });
    expect(await ws.fs.readFile("/workspace/runs.txt", "utf8")).toBe("run\n");
  });
});
