/** `wsx put`: uploads one local file, or standard input. */
import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { CliError } from "../cli-error.ts";
import { filesRoute, joinRemote, remotePath, shownPath } from "../client/remote-path.ts";
import { defineCommand } from "../command.ts";
import { UsageError } from "../flags/usage-error.ts";
import { print } from "../format/print.ts";
import { progressBar } from "../format/progress-bar.ts";
import { fileChunks } from "../transfer/file-chunks.ts";

export const put = defineCommand({
  name: "put",
  summary: "Write a file from a local one or from standard input",
  flags: {
    ifVersion: { long: "--if-version", value: "string", arg: "<version>", help: "Only if the file has this version" },
    ifNew: { long: "--if-new", value: "none", help: "Only if the file does not exist" },
  },
  operands: [
    { name: "local", kind: "local-path" },
    { name: "path", kind: "remote-path", optional: true },
  ],
  notes:
    "`-` for <local> is standard input. A <path> that ends in a slash is a directory; without a <path>, the file keeps its local name.",
  examples: ["wsx put notes.md", "wsx put notes.md docs/", "date | wsx put - now.txt", "wsx put --if-new a.txt b.txt"],
  async run(context, { flags, operands: [local = "", given] }) {
    if (local === "-" && (given === undefined || given.endsWith("/")))
      throw new UsageError("standard input needs a <path>");
    if (flags.ifNew && flags.ifVersion !== undefined)
      throw new UsageError("--if-new and --if-version exclude each other");
    const directory = given === undefined ? "." : given.endsWith("/") ? given : null;
    const path = directory === null ? remotePath(given as string) : joinRemote(remotePath(directory), basename(local));
    const from = local === "-" ? null : resolve(context.io.cwd, local);
    const size = from === null ? 0 : await fileSize(from);
    const progress = progressBar(context, { files: 1, bytes: size });
    const response = await context.api.send(filesRoute(path), {
      method: "PUT",
      headers: { "Content-Type": "application/octet-stream", ...conditions(flags) },
      body: from === null ? context.io.stdin() : fileChunks(from, size, progress.moved),
    });
    await response.body?.cancel();
    progress.fileDone();
    if (from !== null) await progress.end();
    const version = /^"(.*)"$/.exec(response.headers.get("ETag") ?? "")?.[1] ?? null;
    await print(context, { path, version, created: response.status === 201 }, () =>
      context.quiet ? "" : `${shownPath(path)}\n`,
    );
    return 0;
  },
});

async function fileSize(path: string): Promise<number> {
  const found = await stat(path);
  if (found.isFile()) return found.size;
  throw new CliError("EISDIR", `${path} is not a file`, "`wsx cp -r` copies directories.");
}

function conditions({ ifVersion, ifNew }: { ifVersion?: string; ifNew?: boolean }): Record<string, string> {
  if (ifNew) return { "If-None-Match": "*" };
  return ifVersion === undefined ? {} : { "If-Match": `"${ifVersion}"` };
}
