import { expect, it } from "vitest";
import { keepOutput } from "./kept-output.ts";
import type { Chunk } from "./output-log.ts";

const encoder = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

async function keep(parts: readonly (readonly ["stdout" | "stderr", string])[], budget: number) {
  const total = { stdout: 0, stderr: 0 };
  const chunks: Chunk[] = parts.map(([name, value], i) => ({ seq: i + 1, name, value: encoder.encode(value) }));
  for (const { name, value } of chunks) total[name] += value.length;
  const { stdout, stderr } = await keepOutput(each(chunks), total, budget);
  const shown = ({ head, omitted, tail }: typeof stdout) => [text(head), omitted, text(tail)];
  return [shown(stdout), shown(stderr)];
}

async function* each(chunks: readonly Chunk[]) {
  yield* chunks;
}

it("keepOutput keeps everything that fits", async () => {
  expect(
    await keep(
      [
        ["stdout", "abc"],
        ["stderr", "d"],
        ["stdout", "ef"],
      ],
      6,
    ),
  ).toEqual([
    ["abcef", 0, ""],
    ["d", 0, ""],
  ]);
});

it("keepOutput keeps what was printed first and last, of both streams together", async () => {
  const parts = [
    ["stdout", "aaaa"],
    ["stderr", "bb"],
    ["stdout", "cccc"],
    ["stderr", "dd"],
  ] as const;
  expect(await keep(parts, 8)).toEqual([
    ["aaaa", 2, "cc"],
    ["", 2, "dd"],
  ]);
});

it("keepOutput cuts between characters", async () => {
  expect(await keep([["stdout", "ééééé"]], 6)).toEqual([
    ["é", 6, "é"],
    ["", 0, ""],
  ]);
});
