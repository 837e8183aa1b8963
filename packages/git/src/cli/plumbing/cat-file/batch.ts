/** `cat-file --batch`, `--batch-check` and `--batch-command`: the objects named on stdin, one a line, or all objects. */

import { openConversion } from "../../../convert/conversion.ts";
import { GitError } from "../../../errors.ts";
import type { Mailmap } from "../../../message/mailmap.ts";
import type { Oid } from "../../../object/oid.ts";
import { listAll } from "../../../odb/list-all.ts";
import type { ObjectHeader } from "../../../odb/object-database.ts";
import { asGitDatabase } from "../../../odb/write-pack.ts";
import type { Repository } from "../../../repository.ts";
import { findRevision } from "../../../revision/find-revision.ts";
import { encode } from "../../../text/bytes.ts";
import type { CommandIo } from "../../framework/command.ts";
import { type BatchFormat, DEFAULT_FORMAT, expandBatchFormat, parseBatchFormat, usesAtom } from "./batch-format.ts";
import { type Followed, followSymlinks } from "./follow-symlinks.ts";
import { putObject } from "./put-object.ts";

export interface BatchMode {
  readonly kind: "contents" | "info" | "commands";
  /** Null: git's default. */
  readonly format: string | null;
  /** All objects instead of those on stdin. */
  readonly all: boolean;
  readonly unordered: boolean;
  readonly separator: "\n" | "\0";
  readonly buffer: boolean;
  readonly followSymlinks: boolean;
  /** The rest of the line is a path to convert the content for. */
  readonly transform: "filters" | "textconv" | null;
  /** For the names in commits and tags. */
  readonly mailmap: Mailmap | null;
}

interface Batch {
  readonly io: CommandIo;
  readonly repo: Repository;
  readonly mode: BatchMode;
  readonly format: BatchFormat;
}

export async function batchObjects(io: CommandIo, repo: Repository, mode: BatchMode): Promise<number> {
  const batch: Batch = { io, repo, mode, format: parseBatchFormat(mode.format ?? DEFAULT_FORMAT) };
  if (mode.all) {
    for await (const oid of listAll(asGitDatabase(repo.odb))) await show(batch, oid, oid, "", mode.kind === "contents");
    return 0;
  }
  const lines = mode.separator === "\0" ? io.stdin.lines("\0") : io.stdin.textLines();
  if (mode.kind === "commands") return runBatchCommands(batch, lines);
  for await (const line of lines) await showNamed(batch, line, mode.kind === "contents");
  return 0;
}

async function runBatchCommands(batch: Batch, lines: AsyncIterable<string>): Promise<number> {
  for await (const line of lines) {
    const [, command = "", argument] = /^(\S*)(?: (.*))?$/s.exec(line) ?? [];
    if (line === "") throw new GitError("EINVAL", "empty command in input");
    if (/^\s/.test(line)) throw new GitError("EINVAL", `whitespace before command: '${line}'`);
    if (command === "flush") {
      if (!batch.mode.buffer) throw new GitError("EINVAL", "flush is only for --buffer mode");
      if (argument !== undefined) throw new GitError("EINVAL", "flush takes no arguments");
    } else if (command === "info" || command === "contents") {
      if (argument === undefined) throw new GitError("EINVAL", `${command} requires arguments`);
      await showNamed(batch, argument, command === "contents");
    } else throw new GitError("EINVAL", `unknown command: '${line}'`);
  }
  return 0;
}

async function showNamed(batch: Batch, line: string, contents: boolean): Promise<void> {
  const { io, repo, mode, format } = batch;
  const splits = mode.transform !== null || usesAtom(format, "rest");
  const [, name = line, rest = ""] = splits ? (/^([^ \t]*)[ \t]*(.*)$/s.exec(line) ?? []) : [];
  const followed = mode.followSymlinks ? await followSymlinks(repo, name) : null;
  if (followed !== null) return showFollowed(batch, followed, name, rest, contents);
  const found = name === "" ? null : await lookUp(repo, name);
  if (found === null) return io.out(`${name} missing\n`);
  if (found === "ambiguous") return io.out(`${name} ambiguous\n`);
  await show(batch, found, name, rest, contents);
}

async function showFollowed(batch: Batch, followed: Followed, name: string, rest: string, contents: boolean) {
  const { out } = batch.io;
  if (followed.kind === "found") return show(batch, followed.oid, name, rest, contents);
  if (followed.kind === "missing") return out(`${name} missing\n`);
  const reported = followed.kind === "symlink" ? followed.path : name;
  out(`${followed.kind} ${encode(reported).length}\n${reported}\n`);
}

async function lookUp(repo: Repository, name: string): Promise<Oid | "ambiguous" | null> {
  try {
    return (await findRevision(repo, name, { quiet: true }))?.oid ?? null;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return error.code === "EAMBIGUOUS" ? "ambiguous" : null;
  }
}

async function show(batch: Batch, oid: Oid, name: string, rest: string, contents: boolean): Promise<void> {
  const { io, repo, format } = batch;
  const header = await repo.odb.header(oid);
  if (header === null) return io.out(`${name} missing\n`);
  io.out(`${await expandBatchFormat(repo, format, oid, header, rest)}\n`);
  if (!contents) return;
  await putContents(batch, oid, header, rest);
  io.out("\n");
}

async function putContents({ io, repo, mode }: Batch, oid: Oid, header: ObjectHeader, path: string): Promise<void> {
  if (mode.transform === null || header.type !== "blob") return putObject(io, repo, oid, header, mode.mailmap);
  if (path === "") throw new GitError("EINVAL", `missing path for '${oid}'`);
  if (mode.transform === "textconv") return putObject(io, repo, oid, header);
  const conversion = await openConversion(repo);
  await conversion.prepare([path]);
  io.out(conversion.toWorkTree(path, (await repo.odb.need(oid, "blob")).body, oid));
}
