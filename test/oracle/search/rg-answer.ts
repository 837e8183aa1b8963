/** ripgrep's output in the common shape. */
import { describeMessage, type Message } from "./message.ts";
import type { Answer, Query } from "./question.ts";

export interface RgOutput {
  status: number;
  stdout: string;
  stderr: string;
}

/** The exit code of a Rust program that panicked. */
const PANIC = 101;

/** `prefix`: of the searched directory, before every path. */
export function rgAnswer(query: Query, prefix: string, { status, stdout, stderr }: RgOutput): Answer {
  if (status === 2 && isNothing(stdout)) return { refused: stderr.trim() };
  if (status === PANIC) return { panicked: stderr };
  if (status > 2 || status < 0) return { crashed: `rg exited with ${status}: ${stderr}` };
  const pathOf = (path: string) => prefix + (path.startsWith("./") ? path.slice(2) : path);
  const { mode = "lines" } = query;
  switch (mode) {
    case "lines":
      return linesAnswer(query, pathOf, stdout);
    case "files":
    case "names":
      return { lines: stdout.split("\0").slice(0, -1).map(pathOf) };
    case "count":
      return {
        lines: Array.from(stdout.matchAll(/([^\0]*)\0(\d+)\n/g), ([, path, count]) => `${pathOf(path!)}:${count}`),
      };
    default:
      return mode satisfies never;
  }
}

/** For a path that is not there, `--json` still tells its summary. */
function isNothing(stdout: string): boolean {
  return stdout.length === 0 || stdout.startsWith('{"data":{"elapsed_total"');
}

function linesAnswer({ maxHits }: Query, pathOf: (path: string) => string, text: string): Answer {
  const messages = text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Message);
  const searched = messages.find((message) => message.type === "summary")?.data.stats.searches;
  const matches = messages.filter((message) => message.type === "match").length;
  if (maxHits === undefined) return { lines: describeAll(messages, pathOf), searched, truncated: false };
  const truncated = matches > maxHits;
  return { lines: describeAll(truncated ? cut(messages, maxHits) : messages, pathOf), truncated };
}

/** ripgrep has no limit over all files: the first so many matching lines. */
function cut(messages: readonly Message[], maxHits: number): Message[] {
  let left = maxHits;
  return messages.slice(
    0,
    messages.findIndex((message) => message.type === "match" && left-- === 0),
  );
}

function describeAll(messages: readonly Message[], pathOf: (path: string) => string): string[] {
  return messages.map((message) => describeMessage(message, pathOf)).filter((line) => line !== null);
}
