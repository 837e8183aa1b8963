/** How exec calls a shell and interprets its results; exec.workerd.test.ts runs the shells themselves. */
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
  return {
    asked,
    toolset,
    run: (input: Record<string, unknown>) => toolset.handle("exec", { command: "x", ...input }),
  };
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
  // The call's timeout, the host's settings, the shell's timeout.
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
  [5000, { timeoutMs: 1000 }, 1000],
  [0, { timeoutMs: 1000 }, 1000],
  [undefined, { maxTimeoutMs: 2000 }, 2000],
] as const)("timeoutMs %s with %j is %s", async (timeoutMs, exec, expected) => {
  const { asked, run } = await withShell({}, { exec });
  await run(timeoutMs === undefined ? {} : { timeoutMs });
  expect(asked[0]?.timeoutMs).toBe(expected);
});

it.each([
  ["bash", { command: "x" }],
  ["bash", { command: "x", timeoutMs: 600_000 }],
  ["shell", { command: "x" }],
  ["shell", { commands: ["x"], timeout_ms: 600_000 }],
  ["shell", { action: { command: ["x"], timeout_ms: 0 } }],
  ["tool::shell_exec", { command: "x" }],
  ["tool::shell_exec", { command: "x", timeout: 600_000 }],
  ["exec", { command: "x", timeoutMs: 600_000 }],
  ["exec", { command: "x", background: true, timeoutMs: 0 }],
] as const)("the host's timeoutMs bounds %s with %j", async (verb, input) => {
  const { asked, toolset } = await withShell({}, { exec: { timeoutMs: 1000 }, now: () => 0 });
  await toolset.handle(verb, input);
  expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual([1000]);
});

it("the host's timeoutMs bounds all commands of one call together", async () => {
  let time = 0;
  const { asked, toolset } = await withShell({}, { exec: { timeoutMs: 1000 }, now: () => (time += 100) });
  const { structured } = await toolset.handle("shell", { commands: new Array(30).fill("x") });
  const times = asked.map(({ timeoutMs }) => timeoutMs as number);
  expect([times.length < 15, Math.max(...times) <= 1000, times.at(-1)! < 200]).toEqual([true, true, true]);
  expect((structured.output as unknown[]).slice(times.length)).toEqual(
    new Array(30 - times.length).fill({ stdout: "", stderr: "", outcome: { type: "timeout" } }),
  );
});

it("the tool::* family's limits are a preset: 100 KB of stdout, 50 KB of stderr, two minutes", async () => {
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
