/** Checks whether one file's patch applies and computes the result, without writing. Prints git's messages as they occur. */
import { applyHunks, mergeText } from "@workspace/text";
import { fixWhitespace } from "../../diff/fix-whitespace.ts";
import type { WhitespaceRules } from "../../diff/whitespace-rules.ts";
import { modeTrust, stagedMode } from "../../index/compare-stat.ts";
import type { IndexEntry } from "../../index/index-entry.ts";
import { isValidPath } from "../../index/verify-path.ts";
import { conflictStyle } from "../../merge/merge-content.ts";
import { isGitlinkMode, isSameType, MODE_FILE, MODE_GITLINK } from "../../object/file-mode.ts";
import { EMPTY_BLOB, type Oid } from "../../object/oid.ts";
import type { Repository } from "../../repository.ts";
import { encode, equalBytes } from "../../text/bytes.ts";
import { applyBinary } from "./apply-binary.ts";
import type { AppliedFile, ApplyContext, ApplyOptions } from "./apply-options.ts";
import type { FileTable } from "./file-table.ts";
import { hasCarriageReturns, isBlankLine, type WhitespaceLog } from "./read-patches.ts";

export interface CheckContext {
  readonly place: ApplyContext;
  readonly table: FileTable;
  readonly options: ApplyOptions;
  readonly log: WhitespaceLog;
  readonly rulesOf: (path: string) => WhitespaceRules;
  /** Called if writing is forbidden although everything applies. */
  forbid: () => void;
}

/** Returns false if it does not apply; the reason has been printed. */
export async function checkFile(context: CheckContext, file: AppliedFile): Promise<boolean> {
  const { place, table, options } = context;
  const { patch } = file;
  const fail = (message: string) => {
    place.print(`error: ${message}\n`);
    return false;
  };
  const name = patch.oldName ?? patch.newName;
  const before = await findPreimage(context, file);
  if (before === null) return false;
  const { newName, oldName } = patch;
  if (newName !== null && (patch.isNew === true || patch.isRename || patch.isCopy)) {
    const fate = table.fate(newName);
    const mayExist = fate === "was deleted" || fate === "will be deleted";
    const obstacle = await obstacleAt(context, newName, mayExist);
    if (obstacle !== null && options.threeWay) file.directToThreeWay = true;
    else if (obstacle !== null) return fail(`${newName}: ${obstacle}`);
    if (patch.newMode === 0) patch.newMode = patch.isNew === true ? MODE_FILE : patch.oldMode;
  }
  if (newName !== null && oldName !== null) {
    if (patch.newMode === 0) patch.newMode = patch.oldMode;
    if (!isSameType(patch.oldMode, patch.newMode)) {
      const of = oldName === newName ? "" : ` of ${oldName}`;
      const [now, was] = [patch.newMode.toString(8), patch.oldMode.toString(8)];
      return fail(`new mode (${now}) of ${newName} does not match old mode (${was})${of}`);
    }
  }
  for (const path of [oldName, newName]) {
    if (path !== null && !options.unsafePaths && !isValidPath(path)) {
      place.print(`error: invalid path '${path}'\n`);
      throw UNSAFE;
    }
  }
  if (patch.isDelete !== true && newName !== null && (await table.isBeyondLink(newName))) {
    return fail(`affected file '${newName}' is beyond a symbolic link`);
  }
  const result = await applyTo(context, file, before);
  if (result === null) return fail(`${name}: patch does not apply`);
  file.result = result;
  table.record(file);
  if (patch.isDelete === true && result.length > 0) {
    place.print("error: removal patch leaves file contents\n");
    return fail(`${name}: patch does not apply`);
  }
  return true;
}

/** Ends the whole command with 128. */
export const UNSAFE = Symbol("unsafe path");

interface Preimage {
  readonly entry: IndexEntry | undefined;
  /** Reads the old content. */
  readonly content: () => Promise<Uint8Array | null>;
}

const EMPTY = new Uint8Array(0);

/** Finds the old file, and completes what the patch leaves out. Null: the file is not as required. */
async function findPreimage(context: CheckContext, { patch }: AppliedFile): Promise<Preimage | null> {
  const { place, table, options } = context;
  const none: Preimage = { entry: undefined, content: async () => EMPTY };
  const path = patch.oldName;
  if (path === null) return none;
  const fail = (message: string) => {
    place.print(`error: ${message}\n`);
    return null;
  };
  const createsIt = () => {
    patch.isNew = true;
    patch.isDelete = false;
    patch.oldName = null;
    return none;
  };
  const fate = patch.isCopy || patch.isRename ? undefined : table.fate(path);
  if (fate === "was deleted") return fail(`path ${path} has been renamed/deleted`);
  const previous = typeof fate === "object" ? fate : null;
  const isCached = options.target === "cached";
  const stat = previous || isCached ? null : await table.stat(path);
  let entry: IndexEntry | undefined;
  let mode = previous?.patch.newMode ?? 0;
  if (!previous && table.index !== null) {
    entry = table.index.get(path);
    if (entry === undefined) {
      if (patch.isNew === "maybe") return createsIt();
      return fail(`${path}: does not exist in index`);
    }
    if (!isCached && stat !== null && !(await table.matchesIndex(entry, stat))) {
      return fail(`${path}: does not match index`);
    }
    mode = entry.mode;
  } else if (!previous && stat === null) {
    if (patch.isNew === "maybe") return createsIt();
    return fail(`${path}: No such file or directory`);
  }
  const trust = place.repo ? modeTrust(place.repo.config) : { fileMode: true, symlinks: true };
  if (stat !== null && !previous && !isCached) mode = stagedMode(stat, trust, entry?.mode);
  if (patch.isNew === "maybe") patch.isNew = false;
  if (patch.oldMode === 0) patch.oldMode = mode;
  if (!isSameType(mode, patch.oldMode)) return fail(`${path}: wrong type`);
  if (mode !== patch.oldMode) {
    place.print(`warning: ${path} has type ${mode.toString(8)}, expected ${patch.oldMode.toString(8)}\n`);
  }
  if (patch.newMode === 0 && patch.isDelete !== true) patch.newMode = mode;
  const content = async () => {
    if (previous) return previous.result;
    if (await table.isBeyondLink(path, "now")) {
      fail(`reading from '${path}' beyond a symbolic link`);
      return null;
    }
    // A patch with carriage returns refers to the file without conversion.
    if (stat !== null) return table.read(path, stat, hasCarriageReturns(patch, options.reverse));
    return entry && place.repo ? stagedContent(place.repo, entry) : EMPTY;
  };
  return { entry, content };
}

async function obstacleAt({ table, options }: CheckContext, path: string, mayExist: boolean): Promise<string | null> {
  if (table.index !== null && !mayExist) {
    const entry = table.index.get(path);
    // An intent-to-add entry does not exist yet, and can never match the index.
    if (entry && !entry.intentToAdd) return "already exists in index";
    if (entry && options.target !== "cached") return "does not match index";
  }
  if (options.target === "cached" || mayExist) return null;
  const stat = await table.stat(path);
  if (stat === null || stat.type === "dir" || (await table.isBeyondLink(path, "now"))) return null;
  return "already exists in working directory";
}

/** The new content; null: the patch does not apply. */
async function applyTo(context: CheckContext, file: AppliedFile, before: Preimage): Promise<Uint8Array | null> {
  const { place, options } = context;
  const content = await before.content();
  if (content === null) return null;
  if (options.threeWay) {
    const merged = await tryThreeWay(context, file, content);
    if (merged !== null) return merged;
    if (options.verbosity !== "quiet" && !file.directToThreeWay) {
      place.print("Falling back to direct application...\n");
    }
    if (file.directToThreeWay) return null;
  }
  return applyDirectly(context, file, content);
}

async function applyDirectly(
  context: CheckContext,
  file: AppliedFile,
  content: Uint8Array,
): Promise<Uint8Array | null> {
  const { place, options, log, rulesOf } = context;
  const { patch } = file;
  const name = (patch.oldName ?? patch.newName) as string;
  if (patch.binary !== null) {
    const applied = await applyBinary(place.repo, patch, content);
    if (typeof applied !== "string") return applied;
    place.print(`error: ${applied}\n`);
    return null;
  }
  const rules = rulesOf(patch.newName ?? name);
  const fixes = options.whitespace === "fix" && log.count > 0;
  const applied = applyHunks(content, patch.hunks, {
    reverse: options.reverse,
    context: options.context,
    unidiffZero: options.unidiffZero,
    allowOverlap: options.allowOverlap,
    ignoreSpaceChange: options.ignoreSpaceChange,
    noAdd: options.noAdd,
    reject: options.reject,
    ...(options.whitespace !== "nowarn" && rules.blankAtEof ? { isBlank: isBlankLine } : {}),
    dropsBlanks: options.whitespace === "fix",
    ...(options.whitespace === "fix" ? { fixContext: (line) => fixWhitespace(line, rules) } : {}),
    ...(fixes
      ? {
          fixLine: (line) => {
            const fixed = fixWhitespace(line, rules);
            if (!equalBytes(fixed, line)) log.fixed++;
            return fixed;
          },
        }
      : {}),
  });
  file.hunks = applied.hunks;
  for (const { blankLine } of applied.hunks) {
    if (blankLine === undefined) continue;
    log.record(blankLine, "new blank line at EOF", "+");
    if (options.whitespace.startsWith("error")) context.forbid();
  }
  for (const [i, { hunk, at, expected, leading, trailing }] of applied.hunks.entries()) {
    if (at === null) {
      if (options.verbosity === "verbose") {
        const retained = hunk.lines.filter(({ kind }) => kind !== (options.reverse ? "-" : "+"));
        const text = retained.map((line) => new TextDecoder().decode(line.text)).join("");
        place.print(`error: while searching for:\n${text}\n`);
      }
      place.print(`error: patch failed: ${name}:${options.reverse ? hunk.newStart : hunk.oldStart}\n`);
      if (!options.reject) return null;
      continue;
    }
    const offset = (at - expected) * (options.reverse ? -1 : 1);
    if (options.verbosity === "verbose" && at !== expected) {
      place.print(`Hunk #${i + 1} succeeded at ${at + 1} (offset ${offset} line${offset === 1 ? "" : "s"}).\n`);
    }
    if ((leading !== hunk.leading || trailing !== hunk.trailing) && options.verbosity !== "quiet") {
      place.print(`Context reduced to (${leading}/${trailing}) to apply fragment at ${at + 1}\n`);
    }
  }
  return applied.content;
}

/** Applies the patch to the file it was made for, and merges the result with the current file. Null: not possible. */
async function tryThreeWay(context: CheckContext, file: AppliedFile, content: Uint8Array): Promise<Uint8Array | null> {
  const { place, table, options } = context;
  const { patch } = file;
  const { repo } = place;
  if (repo === null || patch.isDelete === true || isGitlinkMode(patch.oldMode) || isGitlinkMode(patch.newMode))
    return null;
  if (patch.isNew === true && !file.directToThreeWay) return null;
  if (patch.isRename && patch.added + patch.removed === 0) return null;
  const base = patch.isNew === true ? { oid: EMPTY_BLOB, body: EMPTY } : await findBase(repo, patch.oldId);
  if (base === null) {
    place.print("error: repository lacks the necessary blob to perform 3-way merge.\n");
    return null;
  }
  const quiet = options.verbosity === "quiet";
  if (file.directToThreeWay && !quiet) place.print("Performing three-way merge...\n");
  const theirs = await applyDirectly(context, file, base.body);
  if (theirs === null) return null;
  let ours = content;
  if (patch.isNew === true) {
    const path = patch.newName as string;
    const stat = await table.stat(path);
    const entry = table.index?.get(path);
    if (entry && stat && options.target === "index" && !(await table.matchesIndex(entry, stat))) {
      place.print(`error: ${path}: does not match index\nerror: cannot read the current contents of '${path}'\n`);
      return null;
    }
    if (stat && options.target !== "cached") ours = await table.read(path, stat);
    else if (entry) ours = await stagedContent(repo, entry);
  }
  const [ourOid, theirOid] = (await repo.odb.writeMany([
    { type: "blob", body: ours },
    { type: "blob", body: theirs },
  ])) as [Oid, Oid];
  const reported = (how: string) => {
    if (!quiet) place.print(`Applied patch to '${patch.newName}' ${how}.\n`);
  };
  if (base.oid === ourOid || base.oid === theirOid || ourOid === theirOid) {
    reported("cleanly");
    return base.oid === ourOid ? theirs : ours;
  }
  const { content: merged, conflicts } = mergeText(base.body, ours, theirs, {
    labels: { ours: "ours", base: "base", theirs: "theirs" },
    style: conflictStyle(repo),
  });
  reported(conflicts > 0 ? "with conflicts" : "cleanly");
  if (conflicts > 0) file.conflict = [patch.isNew === true ? null : base.oid, ourOid, theirOid];
  return merged;
}

async function findBase(repo: NonNullable<ApplyContext["repo"]>, prefix: string | null) {
  if (prefix === null || prefix.length < 4) return null;
  const [oid, other] = await repo.odb.withPrefix(prefix, 2);
  if (!oid || other) return null;
  const object = await repo.odb.read(oid);
  return object?.type === "blob" ? { oid, body: object.body } : null;
}

/** For a submodule, the content that patches use: its commit. */
async function stagedContent({ odb }: Repository, { mode, oid }: IndexEntry): Promise<Uint8Array> {
  if (mode === MODE_GITLINK) return encode(`Subproject commit ${oid}\n`);
  return (await odb.need(oid, "blob")).body;
}
