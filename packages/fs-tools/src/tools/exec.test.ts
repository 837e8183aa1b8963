/** What exec asks of a shell and makes of its answers; the shells themselves are tried in exec.workerd.test.ts. */
import { expect, it } from "vitest";
import type { ToolExecOptions, ToolExecResult, ToolWorkspace } from "../definition/tool-workspace.ts";
import { generousExecLimits } from "../limits.ts";
import { createToolset } from "../toolset/create-toolset.ts";
import type { ToolsetOptions } from "../toolset/toolset.ts";

const DONE: ToolExecResult = {
  ...{ id: "x1", state: "exited", exitCode: 0, stdout: "", stderr: "", truncated: false, output: null },
  ...{ ranOn: "worker", callId: "c", changed: [] },
};

async function withShell(result: Partial<ToolExecResult>, options: Partial<ToolsetOptions> = {}) {
  const asked: ToolExecOptions[] = [];
  const shell = {
    exec: async (_command: unknown, given: ToolExecOptions) => {
      asked.push(given);
      return { id: "x1", callId: "c", ranOn: "worker", result: async () => ({ ...DONE, ...result }) };
    },
  };
  const fs = { realpath: async (path: string) => path };
  const workspace = { fs, shell } as unknown as ToolWorkspace;
  const toolset = await createToolset({ workspace, ...options });
  return { asked, run: (input: Record<string, unknown>) => toolset.handle("exec", { command: "x", ...input }) };
}

it.each([
  [{ state: "timedout", exitCode: 124 }, true],
  [{ state: "killed", exitCode: 143 }, true],
  [{ state: "lost", exitCode: null, reason: "the container is gone" }, true],
  [{ state: "exited", exitCode: 3 }, true],
  [{ state: "exited", exitCode: 0 }, undefined],
] as const)("a command that ended with %j keeps its body; failed: %s", async (result, failed) => {
  const { run } = await withShell({ ...result, stdout: "out", stderr: "err" });
  const { structured, isError } = await run({});
  expect([structured, isError]).toEqual([
    expect.objectContaining({ ...result, stdout: "out", stderr: "err", untrusted: true, callId: expect.any(String) }),
    failed,
  ]);
});

it.each([
  // What the call asks, what the host says, what the shell is given.
  [undefined, {}, 60_000],
  [5, {}, 5],
  [3_600_000, {}, 600_000],
  [0, {}, 600_000],
  [undefined, { timeoutMs: 0 }, 0],
  [0, { timeoutMs: 0 }, 0],
  [1000, { timeoutMs: 0 }, 1000],
  [undefined, { timeoutMs: 1000 }, 1000],
  [5000, { timeoutMs: 1000, maxTimeoutMs: 2000 }, 2000],
  [700_000, { timeoutMs: 900_000 }, 700_000],
] as const)("timeoutMs %s with %j is %s", async (timeoutMs, exec, expected) => {
  const { asked, run } = await withShell({}, { exec });
  await run(timeoutMs === undefined ? {} : { timeoutMs });
  expect(asked[0]?.timeoutMs).toBe(expected);
});

it("document 3's limits are a preset: 100 KB of stdout, 50 KB of stderr, two minutes", async () => {
  const long = { stdout: "o".repeat(100_001), stderr: "e".repeat(50_001) };
  const { asked, run } = await withShell(long, { limits: generousExecLimits });
  const { structured } = await run({});
  expect([asked[0]?.timeoutMs, structured.truncated]).toEqual([120_000, true]);
  expect([(structured.stdout as string).length <= 100_000, (structured.stderr as string).length <= 50_000]).toEqual([
    true,
    true,
  ]);
  const exact = await withShell(
    { stdout: "o".repeat(100_000), stderr: "e".repeat(50_000) },
    { limits: generousExecLimits },
  );
  expect((await exact.run({})).structured.truncated).toBe(false);
});

it("the environment is what the host gives, and never a secret of the process", async () => {
  const { asked, run } = await withShell({}, { exec: { env: { CI: "1" } } });
  await run({});
  expect(asked[0]?.env).toMatchObject({ CI: "1" });
  expect(
    Object.keys(asked[0]?.env ?? {}).filter((name) => !/^(PATH|HOME|LANG|LC_.*|TERM|TZ|TMPDIR|CI)$/.test(name)),
  ).toEqual([]);
});

it("both streams together: stderr after stdout, in the text form too", async () => {
  const { run } = await withShell({ stdout: "out", stderr: "err\n", exitCode: 2 });
  const result = await run({ combined: true });
  expect([result.structured.stdout, result.structured.stderr]).toEqual(["out\nerr\n", ""]);
  expect(result.content).toBe("out\nerr\n[exit code 2]");
});
