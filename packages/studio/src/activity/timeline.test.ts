import { describe, expect, it } from "vitest";
import type { LogGroup } from "../api/history.ts";
import { type CommandFacts, timeline, titleOf } from "./timeline.ts";

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
    const items = timeline([group(5, { callId: "x" }), group(1)], [command("x", 4500), command("y", 6000)]);
    expect(items.map(({ kind, title, ms, change }) => [kind, title, ms, change?.cursor])).toEqual([
      ["command", "run y", 250, undefined],
      ["command", "run x", 250, "e.5"],
      ["change", "Wrote 1.txt", undefined, "e.1"],
    ]);
  });

  it("timeline leaves out a command older than the oldest change that is shown: the next page has it", () => {
    expect(timeline([group(5)], [command("old", 1000)])).toHaveLength(1);
  });

  it("timeline gives a call what the server says it cost", () => {
    const cost = { callId: "b", kind: "writeFile", ms: 3, rowsRead: 5, rowsWritten: 4 };
    expect(timeline([group(1, { callId: "b" })], [], [cost])[0]).toMatchObject({ ms: 3, cost });
  });

  it("timeline knows what git wrote for itself", () => {
    expect(timeline([group(1, { paths: ["/workspace/.git/index"] })], [])[0]).toMatchObject({ kind: "git" });
  });
});

describe("titleOf", () => {
  it("titleOf says what was done in words", () => {
    const title = (ops: LogGroup["ops"], ...names: string[]) =>
      titleOf({ ops, entries: names.length, paths: names.map((name) => `/workspace/${name}`) });
    expect(title({ create: 1, write: 1 }, "a.txt")).toBe("Created a.txt");
    expect(title({ rename: 1 }, "b.txt")).toBe("Moved b.txt");
    expect(title({ remove: 3 }, "a", "b", "c")).toBe("Removed a, b and 1 more");
    expect(title({ remove: 1, write: 1 }, "a", "b")).toBe("Changed a, b");
    expect(title({ write: 2 }, ".git/index", "a")).toBe("Wrote a");
  });
});
