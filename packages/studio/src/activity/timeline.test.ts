import { describe, expect, it } from "vitest";
import type { LogGroup } from "../api/history.ts";
import { type CommandFacts, groupTitle, inputSubject, timeline } from "./timeline.ts";

const group = (n: number, part: Partial<LogGroup> = {}): LogGroup => ({
  group: n,
  time: n * 1000,
  entries: 1,
  ops: { write: 1 },
  paths: [`/workspace/${n}.txt`],
  cursor: `e.${n}`,
  before: `e.${n - 1}`,
  ...part,
});
const command = (callId: string, startedAt: number): CommandFacts => ({
  id: callId,
  callId,
  command: `run ${callId}`,
  state: "exited",
  startedAt,
  endedAt: startedAt + 250,
  exitCode: 0,
  ranOn: "worker",
});

describe("timeline", () => {
  it("timeline names a command by its text and how long it ran, and shows one that changed nothing too", () => {
    const items = timeline({
      groups: [group(5, { callId: "x" }), group(1)],
      commands: [command("x", 4500), command("y", 6000)],
    });
    expect(items.map(({ kind, title, ms, change }) => [kind, title, ms, change?.cursor])).toEqual([
      ["command", "run y", 250, undefined],
      ["command", "run x", 250, "e.5"],
      ["change", "Wrote 1.txt", undefined, "e.1"],
    ]);
  });

  it("timeline omits a command older than the oldest shown change: it is on the next page", () => {
    expect(timeline({ groups: [group(5)], commands: [command("old", 1000)] })).toHaveLength(1);
  });

  it("timeline shows the server's cost of a call", () => {
    const cost = { callId: "b", kind: "writeFile", ms: 3, rowsRead: 5, rowsWritten: 4 };
    expect(timeline({ groups: [group(1, { callId: "b" })], costs: [cost] })[0]).toMatchObject({ ms: 3, cost });
    const costs = [
      { kind: "command", ms: 90, rowsRead: 0, rowsWritten: 0, revs: { first: 1, last: 9 } },
      { kind: "writeFile", ms: 2, rowsRead: 7, rowsWritten: 5, revs: { first: 4, last: 5 } },
    ];
    const prices = timeline({ groups: [group(5), group(3), group(10)], costs }).map((item) => item.cost?.kind);
    expect(prices).toEqual([undefined, "writeFile", "command"]);
  });

  it("timeline shows every call of a tool once: with what it changed, alone when it changed nothing, as the command it ran", () => {
    const call = (callId: string, tool: string, input: object, time: number) =>
      ({
        callId,
        tool,
        actor: "a/tools",
        time,
        ms: 40,
        outcome: "success",
        code: "",
        input: JSON.stringify(input),
      }) as const;
    const items = timeline({
      groups: [group(5, { callId: "w", actor: "http/a/tools" }), group(1)],
      commands: [command("e", 4000)],
      calls: [
        call("w", "write", { path: "/workspace/5.txt", content: "x" }, 5000),
        call("g", "grep", { pattern: "TODO", path: "src" }, 4500),
        call("e", "exec", { command: "run e" }, 4250),
        call("old", "read", { path: "z" }, 500),
      ],
    });
    expect(items.map(({ kind, title, ms, change, actor }) => [kind, title, ms, change?.cursor, actor])).toEqual([
      ["tool", "write 5.txt", 40, "e.5", "http/a/tools"],
      ["tool", "grep TODO src", 40, undefined, "a/tools"],
      ["command", "run e", 250, undefined, undefined],
      ["change", "Wrote 1.txt", undefined, "e.1", undefined],
    ]);
    expect(["{", "[]", '"x"', "null", '{"path":7}'].map(inputSubject)).toEqual(["", "", "", "", ""]);
  });

  it("timeline recognizes git's own files", () => {
    expect(timeline({ groups: [group(1, { paths: ["/workspace/.git/index"] })] })[0]).toMatchObject({ kind: "git" });
  });
});

describe("groupTitle", () => {
  it("groupTitle describes a change", () => {
    const title = (ops: LogGroup["ops"], ...names: string[]) =>
      groupTitle({ ops, entries: names.length, paths: names.map((name) => `/workspace/${name}`) });
    expect(title({ create: 1, write: 1 }, "a.txt")).toBe("Created a.txt");
    expect(title({ rename: 1 }, "b.txt")).toBe("Moved b.txt");
    expect(title({ remove: 3 }, "a", "b", "c")).toBe("Removed a, b and 1 more");
    expect(title({ remove: 1, write: 1 }, "a", "b")).toBe("Changed a, b");
    expect(title({ write: 2 }, ".git/index", "a")).toBe("Wrote a");
  });
});
