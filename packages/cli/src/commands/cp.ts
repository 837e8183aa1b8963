/**
 * `wsx cp`: copies files and trees between this machine and workspaces, with modes, times and links, and a progress bar on a
 * terminal.
 */
import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { ArchiveResponse, Entry } from "@workspace/worker/api";
import { CliError } from "../cli-error.ts";
import type { Api, ApiRequest } from "../client/api.ts";
import { baseName, filesRoute, joinRemote, shownPath } from "../client/remote-path.ts";
import { retry } from "../client/retry.ts";
import { type CommandContext, defineCommand } from "../command.ts";
import { UsageError } from "../flags/usage-error.ts";
import { note, print } from "../format/print.ts";
import { progressBar } from "../format/progress-bar.ts";
import { Arrivals, copyAgain } from "../transfer/arrivals.ts";
import { downloadFile, downloadTree, type LeftOut } from "../transfer/download.ts";
import { type LocalEntry, localTree, staysInside } from "../transfer/local-tree.ts";
import { remoteStat, remoteTree } from "../transfer/remote-tree.ts";
import { parseTransferPath, type TransferPath } from "../transfer/transfer-path.ts";
import { upload } from "../transfer/upload.ts";

type Remote = Extract<TransferPath, { side: "remote" }>;

export const cp = defineCommand({
  name: "cp",
  summary: "Copy between this machine and workspaces",
  flags: {
    recursive: { long: "--recursive", short: "-r", value: "none", help: "Include directories and their content" },
  },
  operands: [
    { name: "from", kind: "either-path" },
    { name: "to", kind: "either-path" },
  ],
  notes:
    "`:path` is in the workspace, `name:path` in another one, anything else is on this machine. A target that is a directory, or ends in a\nslash, receives the source under its own name. Symlinks that point outside the copied tree are skipped and listed (exit code 1).",
  examples: ["wsx cp -r src :", "wsx cp :docs/notes.md .", "wsx cp -r :src backup/", "wsx cp :a.txt other:b.txt"],
  async run(context, { flags, operands: [from = "", to = ""] }) {
    const source = parseTransferPath(from);
    const target = parseTransferPath(to);
    const recursive = flags.recursive === true;
    if (source.side === "local" && target.side === "local")
      throw new UsageError("one side must be in a workspace: `:path`");
    const result =
      source.side === "local"
        ? await toWorkspace(context, source.path, target as Remote, recursive)
        : target.side === "local"
          ? await toMachine(context, source, target.path, recursive)
          : await between(context, source, target, recursive);
    await print(context, result, () => "");
    for (const { path, reason } of result.leftOut) await note(context, `wsx: left out ${path}: ${reason}`);
    return result.leftOut.length === 0 ? 0 : 1;
  },
});

interface Copied {
  files: number;
  bytes: number;
  to: string;
  leftOut: readonly LeftOut[];
}

async function toWorkspace(context: CommandContext, from: string, target: Remote, recursive: boolean): Promise<Copied> {
  const path = resolve(context.io.cwd, from);
  const found = await localTree(path);
  requireRecursive(found[0]?.type === "directory", recursive, from);
  const links = new Set(found.filter(({ type }) => type === "symlink").map(({ name }) => name));
  const leadsOut = (entry: LocalEntry) => entry.type === "symlink" && !staysInside(entry, (name) => links.has(name));
  const entries = found.filter((entry) => !leadsOut(entry));
  const leftOut = found
    .filter(leadsOut)
    .map((entry) => ({ path: entry.path, reason: `the link leads out, to ${entry.target}` }));
  const api = apiOf(context, target);
  const { to, isNew } = await remoteTarget(api, target, basename(path));
  const files = entries.filter((entry) => entry.type === "file");
  const total = { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  const progress = progressBar(context, total);
  await upload(api, { entries, to, again: copyAgain(isNew ? shownPath(to) : null) }, progress);
  await progress.end();
  return { ...total, to, leftOut };
}

async function toMachine(context: CommandContext, source: Remote, local: string, recursive: boolean): Promise<Copied> {
  const api = apiOf(context, source);
  const entry = await remoteStat(api, source.path);
  requireRecursive(entry.type === "directory", recursive, source.path);
  const given = resolve(context.io.cwd, local);
  const isDirectory = (await stat(given).catch(() => null))?.isDirectory() === true;
  if (local.endsWith("/") && !isDirectory && entry.type !== "directory")
    throw new CliError("ENOENT", `${local} is not a directory`);
  const to = isDirectory || local.endsWith("/") ? join(given, baseName(source.path)) : given;
  const entries: Entry[] = [];
  if (entry.type === "directory") for await (const one of remoteTree(api, source.path)) entries.push(one);
  else entries.push(entry);
  const files = entries.filter((one) => one.type === "file");
  const total = { files: files.length, bytes: files.reduce((sum, { size }) => sum + size, 0) };
  const progress = progressBar(context, total);
  let leftOut: LeftOut[] = [];
  if (entry.type === "directory") {
    const again = copyAgain(to === given ? given : null);
    leftOut = await downloadTree(api, { entries, from: source.path, to, again }, progress);
  } else {
    await downloadFile(api, entry, to, progress);
  }
  await progress.end();
  return { ...total, to, leftOut };
}

/** Through this machine: a file unchanged, a tree as one archive, which is unpacked all or nothing. */
async function between(context: CommandContext, source: Remote, target: Remote, recursive: boolean): Promise<Copied> {
  const [here, there] = [apiOf(context, source), apiOf(context, target)];
  const entry = await remoteStat(here, source.path);
  const isDirectory = entry.type === "directory";
  requireRecursive(isDirectory, recursive, source.path);
  const { to } = await remoteTarget(there, target, baseName(source.path));
  const progress = progressBar(context, { files: 1, bytes: entry.size });
  const arrivals = new Arrivals(progress, 1, "");
  const from: [string, ApiRequest] = isDirectory
    ? ["archive", { query: { path: source.path, format: "tar" } }]
    : [filesRoute(source.path), {}];
  const send = async (moved: (bytes: number) => void) => {
    const { body } = await here.send(...from);
    const counted = async function* () {
      for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
        moved(chunk.byteLength);
        yield chunk;
      }
    };
    const headers = { "Content-Type": "application/octet-stream" };
    const sent: ApiRequest = { method: "PUT", headers, body: counted() };
    return isDirectory
      ? await there.json<ArchiveResponse>("archive", { ...sent, query: { path: to, format: "tar" } })
      : await there.sendDiscardingBody(filesRoute(to), sent).then(() => ({ files: 1, bytes: entry.size }));
  };
  const { files, bytes } = await retry(() => arrivals.attempt(send));
  arrivals.fileDone();
  await progress.end();
  return { files, bytes, to, leftOut: [] };
}

/** The destination path, and whether nothing existed there before. */
async function remoteTarget(api: Api, target: Remote, name: string): Promise<{ to: string; isNew: boolean }> {
  if (target.endsInSlash) return { to: joinRemote(target.path, name), isNew: false };
  const there = await remoteStat(api, target.path).catch((error) => {
    if (error instanceof CliError && error.code === "ENOENT") return null;
    throw error;
  });
  if (there?.type === "directory") return { to: joinRemote(target.path, name), isNew: false };
  return { to: target.path, isNew: there === null };
}

function apiOf({ api }: CommandContext, { workspace }: Remote): Api {
  return workspace === null ? api : api.forWorkspace(workspace);
}

function requireRecursive(isDirectory: boolean, recursive: boolean, path: string): void {
  if (isDirectory && !recursive)
    throw new CliError("EISDIR", `${path} is a directory`, "Add -r to copy all that is in it.");
}
