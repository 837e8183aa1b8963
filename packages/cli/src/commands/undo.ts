/** `wsx undo` and `wsx snapshot`: reverts, all or nothing; each can itself be undone. */
import type { RevertedResponse, SnapshotResponse, SnapshotsResponse, UndoBody } from "@workspace/worker/api";
import { remotePath, shownPath } from "../client/remote-path.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { UsageError } from "../flags/usage-error.ts";
import { columns } from "../format/columns.ts";
import { note, print } from "../format/print.ts";
import { timeText } from "../format/sizes.ts";

export const undo = defineCommand({
  name: "undo",
  summary: "Revert a call, an actor's changes or the last change of a path",
  flags: {
    group: { long: "--group", short: "-g", value: "number", arg: "<n>", help: "The group's number in `wsx history`" },
    callId: { long: "--call", value: "string", arg: "<id>", help: "All changes of this call" },
    actor: { long: "--actor", value: "string", arg: "<name>", help: "All changes of this actor" },
    since: { long: "--since", value: "string", arg: "<cursor>", help: "All changes after this cursor" },
    dryRun: { long: "--dry-run", short: "-n", value: "none", help: "Show what would change, and change nothing" },
    force: { long: "--force", short: "-f", value: "none", help: "Also revert later changes of the same paths" },
    merge: { long: "--merge", short: "-m", value: "none", help: "Merge with later changes of the same text" },
  },
  operands: [{ name: "path", kind: "remote-path", optional: true }],
  notes: "With only a <path>, it reverts the last call that changed something there.",
  examples: ["wsx undo notes.md", "wsx undo --group 42 --dry-run", "wsx undo --actor http:local/wsx"],
  async run(context, { flags, operands: [given] }) {
    const body: UndoBody = { ...flags, ...(given === undefined ? {} : { path: remotePath(given) }) };
    const { group, callId, actor, since, path } = body;
    if ([group, callId, actor, since, path].every((one) => one === undefined))
      throw new UsageError("say what: a <path>, --group, --call, --actor or --since");
    const answer = await context.api.json<RevertedResponse>("history/undo", { method: "POST", json: body });
    return reportOutcome(context, answer, flags.dryRun === true);
  },
});

export const snapshot = defineCommand({
  name: "snapshot",
  summary: "Create, list, restore or delete snapshots",
  flags: {
    name: { long: "--name", value: "string", arg: "<name>", help: "Create a snapshot with this name" },
    noPin: { long: "--no-pin", value: "none", help: "With --name: do not retain its history" },
    restore: {
      long: "--restore",
      value: "string",
      arg: "<id>",
      help: "Restore the tree or the paths to this snapshot",
    },
    delete: { long: "--delete", value: "string", arg: "<id>", help: "Delete a snapshot" },
    dryRun: {
      long: "--dry-run",
      short: "-n",
      value: "none",
      help: "With --restore: show what would change, and change nothing",
    },
  },
  operands: [{ name: "path", kind: "remote-path", optional: true, many: true }],
  examples: ["wsx snapshot", "wsx snapshot --name before-refactoring", "wsx snapshot --restore snap-w-7a8430c9a7 src"],
  async run(context, { flags, operands }) {
    const chosen = [flags.name, flags.restore, flags.delete].filter((one) => one !== undefined);
    if (chosen.length > 1) throw new UsageError("--name, --restore and --delete exclude each other");
    if (operands.length > 0 && flags.restore === undefined)
      throw new UsageError("paths go with --restore; --name makes a snapshot");
    if (flags.restore !== undefined) {
      const paths = operands.length === 0 ? {} : { paths: operands.map(remotePath) };
      const route = `snapshots/${encodeURIComponent(flags.restore)}/restore`;
      const answer = await context.api.json<RevertedResponse>(route, {
        method: "POST",
        json: { ...paths, dryRun: flags.dryRun },
      });
      return reportOutcome(context, answer, flags.dryRun === true);
    }
    if (flags.delete !== undefined) {
      await context.api.sendDiscardingBody(`snapshots/${encodeURIComponent(flags.delete)}`, { method: "DELETE" });
      await print(context, { deleted: flags.delete }, () => "");
      return 0;
    }
    if (flags.name === undefined) return list(context);
    const created = await context.api.json<SnapshotResponse>("snapshots", {
      method: "POST",
      json: { name: flags.name, ...(flags.noPin ? { pinned: false } : {}) },
    });
    await print(context, created, () => `${created.id}\n`);
    return 0;
  },
});

async function list(context: CommandContext): Promise<number> {
  const { snapshots } = await context.api.json<SnapshotsResponse>("snapshots");
  await print(context, snapshots, () =>
    columns(snapshots.map(({ id, time, name, pinned }) => [id, timeText(time), pinned ? "pinned" : "", name])),
  );
  return 0;
}

/** In a dry run, conflicts are a result, not an error; the exit code reports them. */
async function reportOutcome(context: CommandContext, answer: RevertedResponse, dryRun: boolean): Promise<number> {
  await print(context, answer, () =>
    answer.changes
      .map(
        ({ action, path, from }) =>
          `${action.padEnd(10)}  ${typeof from === "string" ? `${shownPath(from)} -> ` : ""}${shownPath(path)}\n`,
      )
      .join(""),
  );
  for (const { path, reason } of answer.conflicts) await note(context, `wsx: ${shownPath(path)}: ${reason}`);
  for (const { path, files, reason } of answer.kept ?? [])
    await note(context, `wsx: ${shownPath(path)}: ${files} ${files === 1 ? "file" : "files"} kept: ${reason}`);
  if (!dryRun && answer.group !== null) await note(context, `wsx undo --group ${answer.group} takes this back`);
  return answer.conflicts.length > 0 ? 1 : 0;
}
