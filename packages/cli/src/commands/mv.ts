/** `wsx mv`: renames or moves an entry; the cost does not depend on a directory's size. */
import type { RenameResponse } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import { baseName, joinRemote, remotePath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { print } from "../format/print.ts";
import { remoteStat } from "../transfer/remote-tree.ts";

export const mv = defineCommand({
  name: "mv",
  summary: "Move or rename",
  flags: {
    ifVersion: { long: "--if-version", value: "string", arg: "<version>", help: "Only if <from> has this version" },
    noClobber: { long: "--no-clobber", short: "-n", value: "none", help: "Only if <to> does not exist" },
  },
  operands: [
    { name: "from", kind: "remote-path" },
    { name: "to", kind: "remote-path" },
  ],
  examples: ["wsx mv draft.md docs/", "wsx mv -n a.txt b.txt"],
  async run(context, { flags, operands: [given = "", target = ""] }) {
    const from = remotePath(given);
    const at = remotePath(target);
    const there = await remoteStat(context.api, at).catch((error) => {
      if (error instanceof CliError && error.code === "ENOENT") return null;
      throw error;
    });
    const to = there?.type === "directory" || target.endsWith("/") ? joinRemote(at, baseName(from)) : at;
    const answer = await context.api.json<RenameResponse>("rename", {
      method: "POST",
      json: { from, to, ifVersion: flags.ifVersion, ...(flags.noClobber ? { ifTargetVersion: null } : {}) },
    });
    await print(context, answer, () => "");
    return 0;
  },
});
