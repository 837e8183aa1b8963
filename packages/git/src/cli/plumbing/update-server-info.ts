/** `git update-server-info`. */
import { updateServerInfo as update } from "../../porcelain/maintenance/update-server-info.ts";
import { defineCommand } from "../framework/command.ts";

export const updateServerInfo = defineCommand({
  name: "update-server-info",
  usage: ["git update-server-info [-f | --force]"],
  flags: { force: { short: "-f", long: "--force", help: "update the info files from scratch" } },
  async run(context) {
    await update(await context.repository());
    return 0;
  },
});
