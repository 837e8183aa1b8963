/** `wsx mkdir`: creates directories and their parents. */
import type { MkdirResponse } from "@workspace/worker/api";
import { remotePath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { print } from "../format/print.ts";

export const mkdir = defineCommand({
  name: "mkdir",
  summary: "Create directories and their parents",
  flags: {
    parents: { long: "--parents", short: "-p", value: "none", help: "Accepted for compatibility; always on" },
  },
  operands: [{ name: "path", kind: "remote-path", many: true }],
  examples: ["wsx mkdir docs/drafts"],
  async run(context, { operands }) {
    const created: MkdirResponse[] = [];
    for (const path of operands.map(remotePath))
      created.push(await context.api.json("mkdir", { method: "POST", json: { path } }));
    await print(context, created, () => "");
    return 0;
  },
});
