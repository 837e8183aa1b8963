/** `wsx get`: downloads one file to this machine, or to standard output. */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { baseName, filesRoute, remotePath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { UsageError } from "../flags/usage-error.ts";
import { print } from "../format/print.ts";
import { progressBar } from "../format/progress-bar.ts";
import { downloadFile } from "../transfer/download.ts";
import { remoteStat } from "../transfer/remote-tree.ts";

export const get = defineCommand({
  name: "get",
  summary: "Copy a file to this machine or to standard output",
  flags: {},
  operands: [
    { name: "path", kind: "remote-path" },
    { name: "local", kind: "local-path", optional: true },
  ],
  notes: "`-` for <local> is standard output. Without <local>, the file keeps its name, in the current directory.",
  examples: ["wsx get docs/notes.md", "wsx get docs/notes.md /tmp/", "wsx get data.bin - | sha256sum"],
  async run(context, { operands: [given = "", local] }) {
    const path = remotePath(given);
    if (local === "-") {
      if (context.json)
        throw new UsageError("--json and the bytes themselves do not go together: see `wsx cat --json`");
      const { body } = await context.api.send(filesRoute(path));
      if (body !== null)
        for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) await context.io.out(chunk);
      return 0;
    }
    const entry = await remoteStat(context.api, path);
    if (entry.type === "directory")
      throw new CliError("EISDIR", `${given} is a directory`, "`wsx cp -r` copies directories.", path);
    const to = await downloadTarget(
      resolve(context.io.cwd, local ?? "."),
      baseName(path),
      local?.endsWith("/") === true,
    );
    const progress = progressBar(context, { files: 1, bytes: entry.size });
    await downloadFile(context.api, entry, to, progress);
    await progress.end();
    await print(context, { path, version: entry.version, local: to, bytes: entry.size }, () =>
      context.quiet ? "" : `${to}\n`,
    );
    return 0;
  },
});

async function downloadTarget(path: string, name: string, mustBeDirectory: boolean): Promise<string> {
  const there = await stat(path).catch(() => null);
  if (there?.isDirectory()) return join(path, name);
  if (mustBeDirectory) throw new CliError("ENOENT", `${path} is not a directory`);
  return path;
}
