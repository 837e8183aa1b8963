/** `wsx history`, `diff` and `blame`: changes, their actors, and their diffs. */
import type {
  ApiChange,
  BlameResponse,
  HistoryDiffResponse,
  HistoryGroup,
  HistoryResponse,
} from "@workspace/worker/api";
import { remotePath, shownPath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { UsageError } from "../flags/usage-error.ts";
import { columns } from "../format/columns.ts";
import { print } from "../format/print.ts";
import { timeText } from "../format/sizes.ts";

/** Paths shown per call. */
const SHOWN_PATHS = 3;

export const history = defineCommand({
  name: "history",
  summary: "Show the history, newest first",
  flags: {
    actor: { long: "--actor", value: "string", arg: "<name>", help: "Only changes of this actor" },
    callId: { long: "--call", value: "string", arg: "<id>", help: "Only changes of this call" },
    since: { long: "--since", value: "string", arg: "<cursor>", help: "Only changes after this cursor" },
    limit: { long: "--limit", short: "-n", value: "number", arg: "<n>", help: "At most this many (default 100)" },
    changes: { long: "--changes", value: "none", help: "Single changes instead of calls" },
  },
  operands: [{ name: "path", kind: "remote-path", optional: true }],
  notes: "The number at the start of a line is its group: `wsx undo --group <n>` reverts it.",
  examples: ["wsx history", "wsx history -n 5 src", "wsx history --changes --json"],
  async run(context, { flags: { changes, ...filter }, operands: [given] }) {
    const path = given === undefined ? undefined : remotePath(given);
    const query = { ...filter, path, limit: filter.limit ?? 100, by: changes ? "change" : "call" };
    const answer = await context.api.json<HistoryResponse>("history", { query });
    await print(context, answer, () =>
      columns([...(answer.groups ?? []).map(groupRow), ...(answer.entries ?? []).map(changeRow)]),
    );
    return 0;
  },
});

function groupRow({ group, time, actor, ops, paths, entries }: HistoryGroup): string[] {
  const kinds = Object.entries(ops).map(([op, count]) => `${op} ${count}`);
  const some = `${paths.slice(0, SHOWN_PATHS).map(shownPath).join(" ")}${entries > SHOWN_PATHS ? " …" : ""}`;
  return [String(group), timeText(time), actor ?? "", kinds.join(", "), some];
}

function changeRow({ group, time, actor, op, path }: ApiChange): string[] {
  return [String(group), timeText(time), actor ?? "", op, shownPath(path)];
}

export const diff = defineCommand({
  name: "diff",
  summary: "Show the difference between two moments, or of a call",
  flags: {
    from: { long: "--from", value: "string", arg: "<moment>", help: "A cursor, a version or a snapshot's id" },
    to: {
      long: "--to",
      value: "string",
      arg: "<moment>",
      help: "A cursor, a version or a snapshot's id (default: now)",
    },
    callId: { long: "--call", value: "string", arg: "<id>", help: "The changes of this call" },
  },
  operands: [{ name: "path", kind: "remote-path", optional: true }],
  examples: ["wsx diff --from 1a8129bc428f.4", "wsx diff --call call-1"],
  async run(context, { flags, operands: [given] }) {
    if ((flags.from === undefined) === (flags.callId === undefined)) throw new UsageError("say --from or --call");
    const query = { ...flags, path: given === undefined ? undefined : remotePath(given) };
    const answer = await context.api.json<HistoryDiffResponse>("history/diff", { query });
    await print(context, answer, () =>
      answer.files.map((file) => file.patch ?? `${file.status}: ${shownPath(file.path)}\n`).join(""),
    );
    return 0;
  },
});

export const blame = defineCommand({
  name: "blame",
  summary: "Show the author of each line of a file",
  flags: {},
  operands: [{ name: "path", kind: "remote-path" }],
  examples: ["wsx blame src/app.ts"],
  async run(context, { operands: [given = ""] }) {
    const answer = await context.api.json<BlameResponse>("history/blame", { query: { path: remotePath(given) } });
    await print(context, answer, () =>
      columns(
        answer.lines.map(({ line, text, time, actor }) => [
          time === undefined ? "older" : timeText(time),
          actor ?? "",
          String(line),
          text,
        ]),
      ),
    );
    return 0;
  },
});
