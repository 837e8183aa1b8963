/** `wsx archive`: packs a directory as tar or zip, or unpacks one into the workspace, all or nothing. */
import { createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ArchiveFormat, ArchiveResponse } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import { remotePath, shownPath } from "../client/remote-path.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { UsageError } from "../flags/usage-error.ts";
import { note, print } from "../format/print.ts";
import { sizeText } from "../format/sizes.ts";
import { fileChunks } from "../transfer/file-chunks.ts";

export const archive = defineCommand({
  name: "archive",
  summary: "Pack a directory, or unpack an archive into the workspace",
  flags: {
    output: {
      long: "--output",
      short: "-o",
      value: "string",
      arg: "<file>",
      help: "Output file; - is standard output",
    },
    extract: {
      long: "--extract",
      short: "-x",
      value: "string",
      arg: "<file>",
      help: "Unpack this archive; - is standard input",
    },
    format: {
      long: "--format",
      value: "string",
      choices: ["tar", "zip"],
      help: "Archive format (default: from the file's name, else tar)",
    },
  },
  operands: [{ name: "path", kind: "remote-path", optional: true }],
  notes: "A file that ends in .tar.gz or .tgz is packed with gzip. An archive is never written to a terminal.",
  examples: [
    "wsx archive -o backup.tar.gz",
    "wsx archive src --format zip > src.zip",
    "wsx archive -x backup.tar.gz restored",
  ],
  async run(context, { flags, operands: [given = "."] }) {
    if (flags.output !== undefined && flags.extract !== undefined)
      throw new UsageError("--output and --extract exclude each other");
    const path = remotePath(given);
    const file = flags.extract ?? flags.output ?? "-";
    const format = (flags.format as ArchiveFormat | undefined) ?? (file.endsWith(".zip") ? "zip" : "tar");
    return flags.extract === undefined
      ? pack(context, path, { file, format })
      : unpack(context, path, { file, format });
  },
});

async function pack(
  context: CommandContext,
  path: string,
  { file, format }: { file: string; format: ArchiveFormat },
): Promise<number> {
  const { io, api } = context;
  if (file === "-" && io.terminal.stdout)
    throw new UsageError("an archive is not for a terminal: give --output or redirect");
  if (file === "-" && context.json) throw new UsageError("with --json an archive needs a file: give --output");
  const gzip = format === "tar" && /\.t(?:ar\.)?gz$/.test(file) ? "1" : undefined;
  const { body } = await api.send("archive", { query: { path, format, gzip } });
  if (file === "-") {
    for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) await io.out(chunk);
    return 0;
  }
  const local = resolve(io.cwd, file);
  const temporary = `${local}.${process.pid}.part`;
  try {
    await pipeline(
      body === null ? Readable.from([]) : Readable.fromWeb(body as never),
      createWriteStream(temporary, { flags: "wx" }),
    );
    await rename(temporary, local);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const { size } = await stat(local);
  await note(context, `${file}: ${sizeText(size)}`);
  await print(context, { path, local, bytes: size }, () => "");
  return 0;
}

async function unpack(
  context: CommandContext,
  path: string,
  { file, format }: { file: string; format: ArchiveFormat },
): Promise<number> {
  const { io, api } = context;
  const answer = await api.json<ArchiveResponse>("archive", {
    method: "PUT",
    query: { path, format },
    headers: { "Content-Type": "application/octet-stream" },
    body: file === "-" ? io.stdin() : await localFile(resolve(io.cwd, file)),
  });
  await print(
    context,
    answer,
    () =>
      `${answer.files} files, ${answer.directories} directories, ${sizeText(answer.bytes)} into ${shownPath(answer.path)}\n`,
  );
  return 0;
}

async function localFile(path: string): Promise<AsyncIterable<Uint8Array>> {
  const found = await stat(path);
  if (!found.isFile()) throw new CliError("EISDIR", `${path} is not a file`);
  return fileChunks(path, found.size, () => {});
}
