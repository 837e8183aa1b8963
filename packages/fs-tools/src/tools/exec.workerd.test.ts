/** exec in the workspace's own shell: results, budgets, allow-list, timeouts. */
import { describe, expect, it } from "vitest";
import { type Answer, codeOf, inWorkspace, unwrap } from "../../test/in-workspace.ts";

describe("exec", () => {
  it("exec runs a command string and an argv, and says what changed", () =>
    inWorkspace(
      async ({ call, toolset, refused, fs }) => {
        const done = await call("exec", { command: "echo hi; echo oops >&2; echo new > made.txt" });
        expect(done).toMatchObject({
          exitCode: 0,
          stdout: "hi\n",
          stderr: "oops\n",
          truncated: false,
          state: "exited",
          ranOn: "worker",
          changed: ["/workspace/made.txt"],
        });
        expect(typeof done.callId).toBe("string");
        expect(await call("exec", { argv: ["cat", "made.txt"] })).toMatchObject({ stdout: "new\n" });
        const failed = await toolset.handle("exec", { command: "exit 3" });
        expect([failed.isError, failed.structured.exitCode]).toEqual([true, 3]);
        expect(await refused("exec", { command: "ls", argv: ["ls"] })).toBe("INVALID_INPUT");
        expect(await refused("exec", { command: "ls", cwd: "/etc" })).toBe("OUTSIDE_ROOT");
        // A file written by the actor's own command is never stale.
        await call("read", { path: "made.txt" });
        await call("exec", { command: "echo changed > made.txt" });
        await call("write", { path: "made.txt", content: "mine\n" });
        expect(await fs.readFile("/workspace/made.txt", "utf8")).toBe("mine\n");
      },
      {},
      {},
    ));

  it.each([
    [32 * 1024, false],
    [32 * 1024 + 1, true],
  ])("exec keeps head and tail of %i bytes: truncated is %s", (size, truncated) =>
    inWorkspace(async ({ fs, call }) => {
      await fs.writeFile("/workspace/big", `A${"x".repeat(size - 2)}Z`);
      const { stdout, truncated: cut } = await call("exec", { command: "cat big" });
      expect(cut).toBe(truncated);
      expect([stdout[0], stdout.at(-1)]).toEqual(["A", "Z"]);
      expect(new TextEncoder().encode(stdout).length).toBeLessThanOrEqual(32 * 1024);
    }),
  );

  it("exec obeys its list, and is absent where it cannot be held to writable globs", () =>
    inWorkspace(
      async ({ call, refused, more }) => {
        expect(await call("exec", { command: "echo a && echo b" })).toMatchObject({ stdout: "a\nb\n" });
        expect(await refused("exec", { command: "echo a; cat b" })).toBe("COMMAND_REFUSED");
        expect((await more({ writable: ["src/"] })).names).not.toContain("exec");
      },
      { exec: { allowedCommands: ["echo"] } },
    ));

  it("exec in the background is read with exec_output and stopped with exec_kill", () =>
    inWorkspace(async ({ call }) => {
      const { id, state } = await call("exec", { command: "echo one; echo two", background: true });
      expect(state).toBe("running");
      let output: Answer = {};
      for (let i = 0; i < 50 && output.state !== "exited"; i++) output = await call("exec_output", { id });
      expect(output).toMatchObject({ stdout: "one\ntwo\n", exitCode: 0, state: "exited" });
      expect(await call("exec_output", { id, since: output.since })).toMatchObject({ stdout: "" });
      expect(await call("exec_kill", { id })).toMatchObject({ killed: true });
    }));
});

it("exec is stopped by the caller's signal, and a command in the background is not", () =>
  inWorkspace(async ({ toolset }) => {
    unwrap(await toolset.handle("exec", { command: "true" }));
    const stop = new AbortController();
    const running = toolset.handle("exec", { command: "echo before; sleep 30" }, { signal: stop.signal });
    const { id } = unwrap(
      await toolset.handle("exec", { command: "sleep 1; echo done", background: true }, { signal: stop.signal }),
    );
    stop.abort();
    expect(await running).toMatchObject({ isError: true, structured: { state: "killed" } });
    let output: Answer = {};
    while (output.state !== "exited") output = unwrap(await toolset.handle("exec_output", { id }));
    expect(output).toMatchObject({ state: "exited", exitCode: 0, stdout: "done\n" });
  }));

it("exec stops what takes too long: 124, with what it printed until then", () =>
  inWorkspace(async ({ toolset, more }) => {
    // The shell is loaded on first use, within the first command's time.
    unwrap(await toolset.handle("exec", { command: "true" }));
    const result = await toolset.handle("exec", { command: "echo before; sleep 30", timeoutMs: 1500 });
    expect([result.isError, result.structured]).toEqual([
      true,
      expect.objectContaining({ exitCode: 124, state: "timedout", stdout: "before\n" }),
    ]);
    const env = unwrap(await (await more({ exec: { env: { GIVEN: "1" } } })).handle("exec", { command: "env" })).stdout;
    expect(env).toContain("GIVEN=1");
    expect(env).not.toMatch(/TOKEN|SECRET/);
    expect(codeOf(await toolset.handle("exec_kill", { id: "none" }))).toBe("ENOENT");
  }));
