/** The current queue is compared in every respect with the one that a call saw when it began. */
import { expect, it } from "vitest";
import { MemoryToolState } from "../state/memory-tool-state.ts";
import type { Proposal } from "../state/tool-state.ts";
import { queueProposals } from "./queue-proposals.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const queued: Proposal = { path: "/f", content: bytes("one"), base: "1", mode: 0o755 };

async function propose(now: Proposal | null, seen: Proposal | null) {
  const state = new MemoryToolState();
  if (now !== null) await state.propose("a", [now]);
  const map = new Map(seen === null ? [] : [[seen.path, seen]]);
  const queue = {
    state,
    actor: "a",
    now: () => 7,
    max: 10,
    maxBytes: 10,
    seen: map,
    baseOf: async () => ({ version: "1", mode: 0o644 }),
  };
  return queueProposals(queue, [{ path: "/f", bytes: bytes("two"), mode: 0o644 }]);
}

it.each([
  ["nothing, and something is queued", queued, null],
  ["something, and nothing is queued", null, queued],
  ["another base", queued, { ...queued, base: "2" }],
  ["no base", queued, { ...queued, base: null }],
  ["another mode", queued, { ...queued, mode: 0o644 }],
  ["another content of the same length", queued, { ...queued, content: bytes("two") }],
  ["a shorter content", queued, { ...queued, content: bytes("on") }],
  ["a deletion", queued, { ...queued, content: null }],
] as const)("queueProposals refuses a call that saw %s", async (_, now, seen) => {
  await expect(propose(now, seen)).rejects.toMatchObject({ code: "STALE", details: { paths: ["/f"] } });
});

it("queueProposals takes one that saw what there is, and keeps the base and a mode that is not the file's own", async () => {
  const copy = { ...queued, content: bytes("one") };
  expect((await propose(queued, copy)).get("/f")).toEqual({
    path: "/f",
    content: bytes("two"),
    base: "1",
    mode: 0o644,
    timeMs: 7,
  });
  expect((await propose(null, null)).get("/f")).toEqual({ path: "/f", content: bytes("two"), base: "1", timeMs: 7 });
});
