import { expect, it } from "vitest";
import type { OutputChunk } from "./output-log.ts";
import { truncateOutput } from "./truncate-output.ts";

const encoder = new TextEncoder();
const text = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

async function keep(parts: readonly (readonly ["stdout" | "stderr", string])[], budget: number) {
  const total = { stdout: 0, stderr: 0 };
  const chunks: OutputChunk[] = parts.map(([name, value], i) => ({ seq: i + 1, name, value: encoder.encode(value) }));
  for (const { name, value } of chunks) total[name] += value.length;
  const { stdout, stderr } = await truncateOutput(each(chunks), total, budget);
  const shown = ({ head, omitted, tail }: typeof stdout) => [text(head), omitted, text(tail)];
  return [shown(stdout), shown(stderr)];
}

async function* each(chunks: readonly OutputChunk[]) {
  yield* chunks;
}

it("truncateOutput keeps everything that fits", async () => {
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

it("truncateOutput keeps what was printed first and last, of both streams together", async () => {
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

it("truncateOutput cuts between characters", async () => {
  expect(await keep([["stdout", "ééééé"]], 6)).toEqual([
    ["é", 6, "é"],
    ["", 0, ""],
  ]);
});
