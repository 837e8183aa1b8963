/** `wsx stat`: shows the metadata of an entry. */
import { remotePath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { columns } from "../format/columns.ts";
import { modeText } from "../format/mode-text.ts";
import { print } from "../format/print.ts";
import { timeText } from "../format/sizes.ts";
import { remoteStat } from "../transfer/remote-tree.ts";

export const stat = defineCommand({
  name: "stat",
  summary: "Show the metadata of a file or directory",
  flags: {},
  operands: [{ name: "path", kind: "remote-path" }],
  examples: ["wsx stat README.md", "wsx stat README.md --json | jq -r .version"],
  async run(context, { operands: [path = ""] }) {
    const entry = await remoteStat(context.api, remotePath(path));
    await print(context, entry, () =>
      columns([
        ["path", entry.target === undefined ? entry.path : `${entry.path} -> ${entry.target}`],
        ["type", entry.type],
        ["mode", modeText(entry.type, entry.mode)],
        ["size", String(entry.size)],
        ["modified", timeText(entry.mtime)],
        ["version", entry.version],
      ]),
    );
    return 0;
  },
});
