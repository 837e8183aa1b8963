/** `wsx glob`: lists names by pattern, with the syntax of Node's glob. */
import type { GlobResponse } from "@workspace/worker/api";
import { remotePath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { note, print } from "../format/print.ts";

export const glob = defineCommand({
  name: "glob",
  summary: "Find files by a pattern",
  flags: {
    cwd: { long: "--cwd", value: "string", arg: "<path>", help: "Directory that the pattern is relative to" },
    limit: { long: "--limit", value: "number", arg: "<n>", help: "At most this many" },
    files: { long: "--files", short: "-f", value: "none", help: "Only files, no directories" },
    ignore: { long: "--ignore", value: "none", help: "Skip what .gitignore excludes" },
  },
  operands: [{ name: "pattern", kind: "text" }],
  examples: ["wsx glob '**/*.ts'", "wsx glob --cwd src -f '*'"],
  async run(context, { flags, operands: [pattern = ""] }) {
    const answer = await context.api.json<GlobResponse>("search/glob", {
      query: {
        pattern,
        cwd: flags.cwd === undefined ? undefined : remotePath(flags.cwd),
        limit: flags.limit,
        dirs: flags.files ? "0" : undefined,
        ignore: flags.ignore ? "1" : undefined,
      },
    });
    await print(context, answer, () => answer.paths.map((path) => `${path}\n`).join(""));
    if (answer.truncated) await note(context, "wsx: there is more; raise --limit");
    return answer.paths.length === 0 ? 1 : 0;
  },
});
