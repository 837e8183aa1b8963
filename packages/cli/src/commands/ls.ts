/** `wsx ls`: lists a directory, optionally recursively. */
import type { Entry } from "@workspace/worker/api";
import { remotePath, shownPath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { columns } from "../format/columns.ts";
import { modeText } from "../format/mode-text.ts";
import { print } from "../format/print.ts";
import { timeText } from "../format/sizes.ts";
import { remoteStat, remoteTree } from "../transfer/remote-tree.ts";

export const ls = defineCommand({
  name: "ls",
  summary: "List a directory",
  flags: {
    all: { long: "--all", short: "-a", value: "none", help: "Include names that start with a dot" },
    long: { long: "--long", short: "-l", value: "none", help: "Mode, size, time (UTC) and version" },
    recursive: { long: "--recursive", short: "-R", value: "none", help: "Include subdirectories" },
  },
  operands: [{ name: "path", kind: "remote-path", optional: true }],
  examples: ["wsx ls", "wsx ls -la src", "wsx ls -R --json docs"],
  async run(context, { flags, operands: [given = "."] }) {
    const path = remotePath(given);
    const entries = await entriesAt(context.api, path, flags.recursive === true);
    const shown = flags.all || context.json ? entries : entries.filter((entry) => !isHidden(entry.path, path));
    const name = (entry: Entry) =>
      (flags.recursive ? shownPath(entry.path) : entry.name) + (entry.type === "directory" ? "/" : "");
    await print(context, shown, () =>
      flags.long
        ? columns(shown.map((e) => [modeText(e.type, e.mode), String(e.size), timeText(e.mtime), e.version, name(e)]))
        : shown.map((entry) => `${name(entry)}\n`).join(""),
    );
    return 0;
  },
});

/** For a file, the file itself, as in ls. */
async function entriesAt(api: Parameters<typeof remoteStat>[0], path: string, recursive: boolean): Promise<Entry[]> {
  const stat = await remoteStat(api, path);
  if (stat.type !== "directory") return [stat];
  const entries: Entry[] = [];
  for await (const entry of remoteTree(api, path, recursive ? undefined : 1)) entries.push(entry);
  return entries;
}

function isHidden(path: string, base: string): boolean {
  return path.slice(base.length).includes("/.");
}
