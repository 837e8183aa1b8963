import { describe, expect, it } from "vitest";
import type { LogEntry } from "../api/history.ts";
import { type CommandFacts, timeline, titleOf } from "./timeline.ts";

const entry = (n: number, part: Partial<LogEntry> = {}): LogEntry => ({
  cursor: `e.${n}`,
  op: "write",
  type: "file",
  path: `/workspace/${n}.txt`,
  time: n * 1000,
  group: n,
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
  it("timeline puts the changes of one call together, with where the log stood before and after", () => {
    const items = timeline(
      [entry(4, { callId: "b" }), entry(3, { callId: "b" }), entry(2, { group: 2 }), entry(1)],
      [],
    );
    expect(items.map(({ id, kind, after, before }) => [id, kind, after, before])).toEqual([
      ["b", "call", "e.4", "e.2"],
      ["#2", "change", "e.2", "e.1"],
      ["#1", "change", "e.1", undefined],
    ]);
  });

  it("timeline names a command by its text and how long it ran, and shows one that changed nothing too", () => {
    const items = timeline([entry(5, { callId: "x" }), entry(1)], [command("x", 4500), command("y", 6000)]);
    expect(items.map(({ title, ms, entries }) => [title, ms, entries.length])).toEqual([
      ["run y", 250, 0],
      ["run x", 250, 1],
      ["Wrote 1.txt", undefined, 1],
    ]);
  });

  it("timeline gives a call what the server says it cost", () => {
    const cost = { callId: "b", kind: "writeFile", ms: 3, rowsRead: 5, rowsWritten: 4 };
    expect(timeline([entry(1, { callId: "b" })], [], [cost])[0]).toMatchObject({ ms: 3, cost });
  });
});

describe("titleOf", () => {
  it("titleOf says what was done in words", () => {
    expect(titleOf([entry(1), entry(1, { op: "create" })])).toBe("Created 1.txt");
    expect(titleOf([entry(1, { op: "rename", from: "/workspace/0.txt" })])).toBe("Moved 0.txt to 1.txt");
    expect(titleOf([entry(3, { op: "remove" }), entry(2, { op: "remove" }), entry(1, { op: "remove" })])).toBe(
      "Removed 3 paths, 3.txt, 2.txt …",
    );
  });
});
