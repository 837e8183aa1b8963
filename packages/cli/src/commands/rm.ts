/** `wsx rm`: removes entries; a directory with its contents only with -r. */
import { CliError } from "../cli-error.ts";
import { filesRoute, remotePath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { print } from "../format/print.ts";

export const rm = defineCommand({
  name: "rm",
  summary: "Remove files and directories",
  flags: {
    recursive: { long: "--recursive", short: "-r", value: "none", help: "Include directories and their content" },
    force: { long: "--force", short: "-f", value: "none", help: "Ignore missing files" },
    ifVersion: { long: "--if-version", value: "string", arg: "<version>", help: "Only if it has this version" },
  },
  operands: [{ name: "path", kind: "remote-path", many: true }],
  notes: "`wsx undo` restores removed files while the history has them.",
  examples: ["wsx rm old.txt", "wsx rm -rf build"],
  async run(context, { flags, operands }) {
    const removed: string[] = [];
    for (const path of operands.map(remotePath)) {
      try {
        await context.api.sendDiscardingBody(filesRoute(path), {
          method: "DELETE",
          query: { recursive: flags.recursive },
          headers: flags.ifVersion === undefined ? {} : { "If-Match": `"${flags.ifVersion}"` },
        });
        removed.push(path);
      } catch (error) {
        if (!(flags.force && error instanceof CliError && error.code === "ENOENT")) throw error;
      }
    }
    await print(context, { removed }, () => "");
    return 0;
  },
});
