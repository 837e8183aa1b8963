/**
 * Applies patches to the work tree, the index or both: checks everything first, then writes everything, or nothing (unless rejects
 * are requested). Returns git's exit code; messages go to `position.print` as they occur.
 */
import type { FilePatch } from "@workspace/text";
import { type DiffDrivers, openDiffDrivers, plainDrivers } from "../../diff/diff-drivers.ts";
import { useIndex } from "../../diff/staged-files.ts";
import { type WhitespaceRules, whitespaceRules } from "../../diff/whitespace-rules.ts";
import { IndexEditor } from "../../index/index-editor.ts";
import { readIndex } from "../../index/read-index.ts";
import { lockIndex, writeIndex } from "../../index/write-index.ts";
import type { LockFile } from "../../lock-file.ts";
import type { AppliedFile, ApplyContext, ApplyOptions } from "./apply-options.ts";
import { checkFile, UNSAFE } from "./check-file.ts";
import { FileTable } from "./file-table.ts";
import { patchName } from "./patch-name.ts";
import { createWhitespaceLog, readPatches, type WhitespaceLog } from "./read-patches.ts";
import { writeResults } from "./write-results.ts";

export interface PatchInput {
  /** The name in error messages. */
  readonly name: string;
  readonly content: Uint8Array;
}

export interface AppliedPatches {
  readonly exitCode: number;
  /** For `--stat` and the like; empty if the command failed earlier. */
  readonly patches: readonly FilePatch[];
}

export async function applyPatches(
  position: ApplyContext,
  inputs: readonly PatchInput[],
  options: ApplyOptions,
): Promise<AppliedPatches> {
  const usesIndex = position.repo !== null && options.target !== "worktree";
  const lock = usesIndex && options.apply && position.repo ? await lockIndex(position.repo) : null;
  try {
    const result = await applyAll(position, inputs, options, lock);
    if (!result.committed) await lock?.release();
    return result;
  } catch (error) {
    await lock?.release();
    throw error;
  }
}

async function applyAll(
  position: ApplyContext,
  inputs: readonly PatchInput[],
  options: ApplyOptions,
  lock: LockFile | null,
): Promise<AppliedPatches & { committed: boolean }> {
  const { repo } = position;
  const base = repo && options.target !== "worktree" ? await readIndex(repo) : null;
  const index = base && new IndexEditor(base);
  const rules = await openRules(position, inputs, options);
  const patches: FilePatch[] = [];
  let exitCode = 0;
  let mayWrite = options.apply;
  let total = 0;
  let fixed = 0;
  let firstLine = 1;
  for (const input of inputs) {
    const log = createWhitespaceLog(quietly(position, options), input.name, options.whitespace);
    const one = await applyInput(
      { ...position, firstLine },
      input,
      { ...options, apply: mayWrite },
      index,
      base?.mtimeSeconds ?? 0,
      rules,
      log,
    );
    for (const byte of input.content) if (byte === 10) firstLine++;
    total += log.count;
    fixed += log.fixed;
    if (!one.mayWrite) mayWrite = false;
    exitCode = Math.max(exitCode, one.exitCode);
    patches.push(...one.patches);
    if (one.stops) return { exitCode, patches: one.exitCode === 0 ? patches : [], committed: false };
  }
  const reported = printWhitespace(position, options, total, fixed);
  if (reported !== null) return { exitCode: reported, patches: [], committed: false };
  if (repo && index && lock && mayWrite) {
    await writeIndex(repo, index.finish(), lock);
    return { exitCode, patches, committed: true };
  }
  return { exitCode, patches, committed: false };
}

function quietly({ print }: ApplyContext, { verbosity }: ApplyOptions): (text: string) => void {
  return verbosity === "quiet" ? () => {} : print;
}

async function openRules(
  { repo, prefix }: ApplyContext,
  inputs: readonly PatchInput[],
  { target, directory }: ApplyOptions,
): Promise<(path: string) => WhitespaceRules> {
  if (repo !== null && target !== "worktree") await useIndex(repo);
  const drivers: DiffDrivers = repo ? await openDiffDrivers(repo) : plainDrivers;
  const config = repo?.config.get("core.whitespace") ?? null;
  const names = inputs.flatMap(({ content }) => namesIn(content));
  await drivers.prepare(names.flatMap((name) => [directory + name, prefix + directory + name]));
  return (path) => whitespaceRules(config, drivers.whitespace(path));
}

/** An estimate, with every number of directories stripped: reads attributes of too many names rather than too few. */
function namesIn(content: Uint8Array): string[] {
  const text = new TextDecoder().decode(content);
  return [...text.matchAll(/^(?:\+\+\+|---) "?([^\t\n"\0]+)/gm)].flatMap((match) => {
    const parts = (match[1] as string).split("/");
    return parts.slice(0, MAX_STRIPPED).map((_, at) => parts.slice(at).join("/"));
  });
}

/** Names that need more directories stripped are rare, and each costs a lookup. */
const MAX_STRIPPED = 8;

async function applyInput(
  place: ApplyContext,
  input: PatchInput,
  options: ApplyOptions,
  index: IndexEditor | null,
  indexSeconds: number,
  rulesOf: (path: string) => WhitespaceRules,
  log: WhitespaceLog,
) {
  const { patches, skipped } = readPatches(place, input.content, options, rulesOf, log);
  if (patches.length === 0 && skipped === 0) {
    if (options.allowEmpty) return { exitCode: 0, patches, mayWrite: true, stops: false };
    place.print('error: No valid patches in input (allow with "--allow-empty")\n');
    return { exitCode: 128, patches, mayWrite: false, stops: true };
  }
  let mayWrite = options.apply && !(log.count > 0 && options.whitespace.startsWith("error"));
  const files: AppliedFile[] = patches.map((patch) => ({
    patch,
    result: null,
    hunks: [],
    rejected: true,
    conflict: null,
    directToThreeWay: false,
  }));
  const table = new FileTable(place, index, indexSeconds, patches);
  if (mayWrite || options.check) {
    const context = { place, table, options, log, rulesOf, forbid: () => void (mayWrite = false) };
    let failed = false;
    try {
      for (const file of files) {
        if (options.verbosity === "verbose") place.print(`Checking patch ${patchName(file.patch)}...\n`);
        file.rejected = !(await checkFile(context, file));
        if (file.rejected) failed = true;
      }
    } catch (error) {
      if (error === UNSAFE) return { exitCode: 128, patches, mayWrite: false, stops: true };
      throw error;
    }
    if (failed && !options.reject) return { exitCode: 1, patches, mayWrite: false, stops: true };
  }
  if (!mayWrite) return { exitCode: 0, patches, mayWrite: options.apply ? mayWrite : true, stops: false };
  const fine = await writeResults(table, index, files, options);
  // Rejects end the command, and the index stays unchanged.
  return { exitCode: fine ? 0 : 1, patches, mayWrite, stops: !fine && options.reject };
}

/** Null: the command continues. */
function printWhitespace(position: ApplyContext, options: ApplyOptions, count: number, fixed: number): number | null {
  if (count === 0) return null;
  const print = quietly(position, options);
  const squelched = options.whitespace === "error-all" ? 0 : count - 5;
  if (squelched > 0) print(`warning: squelched ${squelched} whitespace error${squelched === 1 ? "" : "s"}\n`);
  const lines = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
  const adds = lines(count, "line adds", "lines add");
  if (options.whitespace === "error" || options.whitespace === "error-all") {
    position.print(`error: ${adds} whitespace errors.\n`);
    return 128;
  }
  if (fixed > 0 && options.apply) {
    print(`warning: ${lines(fixed, "line applied", "lines applied")} after fixing whitespace errors.\n`);
  } else print(`warning: ${adds} whitespace errors.\n`);
  return null;
}
