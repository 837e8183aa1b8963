/** Writes the results of the patches: removals first, then everything else, then the index. */
import type { BulkEntry } from "@workspace/vfs";
import { indexStat, NO_STAT } from "../../index/compare-stat.ts";
import type { IndexEditor } from "../../index/index-editor.ts";
import type { Stage } from "../../index/index-entry.ts";
import { errnoText } from "../../lock-file.ts";
import { isGitlinkMode, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, modeType } from "../../object/file-mode.ts";
import { type Oid, parseOid } from "../../object/oid.ts";
import { concat, decode, encode } from "../../text/bytes.ts";
import type { AppliedFile, ApplyOptions } from "./apply-options.ts";
import type { FileTable } from "./file-table.ts";
import { patchName } from "./patch-name.ts";

/** Returns false if a hunk was rejected or there is a conflict. */
export async function writeResults(
  table: FileTable,
  index: IndexEditor | null,
  files: readonly AppliedFile[],
  options: ApplyOptions,
): Promise<boolean> {
  const written = files.filter(({ rejected }) => !rejected);
  let fine = written.length === files.length;
  if (options.target !== "cached") await writeFiles(table, written);
  if (index !== null) await updateIndex(table, index, written, options);
  for (const file of written) {
    if (!(await writeReject(table, file, options))) fine = false;
    if (file.conflict) fine = false;
  }
  for (const { patch, conflict } of written) if (conflict) table.place.print(`U ${patch.newName}\n`);
  return fine;
}

/** A changed file is also removed and written, so different names move it. */
const isRemoved = ({ patch: { isDelete, isRename, isCopy, isNew, oldName, newName } }: AppliedFile) =>
  isDelete === true || isRename || (!isCopy && isNew !== true && oldName !== newName);

async function writeFiles(table: FileTable, files: readonly AppliedFile[]): Promise<void> {
  const { fs, root } = table.place;
  const entries: BulkEntry[] = [];
  const removed: string[] = [];
  for (const file of files) {
    const { oldName, oldMode, newName } = file.patch;
    // Reports an invalid name before anything is removed.
    if (newName !== null) await table.stat(newName);
    if (!isRemoved(file) || oldName === null) continue;
    if (isGitlinkMode(oldMode)) continue;
    if ((await table.stat(oldName)) === null) continue;
    removed.push(oldName);
    entries.push({ path: `${root}/${oldName}`, type: "remove" });
  }
  if (files.some(({ patch: { newName } }) => newName !== null && isAbove(newName, removed))) {
    await fs.writeMany(entries.splice(0));
    await removeEmptyDirectories(table, removed);
  }
  const conversion = await table.conversion();
  await conversion?.prepare(files.map(({ patch }) => patch.newName ?? ""));
  for (const { patch, result } of files) {
    const { newName, newMode, isDelete } = patch;
    if (isDelete === true || newName === null || result === null) continue;
    const path = `${root}/${newName}`;
    const type = modeType(newMode);
    if (type === MODE_GITLINK) entries.push({ path, type: "dir" });
    else if (type === MODE_SYMLINK) {
      if ((await table.stat(newName)) !== null) entries.push({ path, type: "remove" });
      entries.push({ path, type: "symlink", target: decode(result) });
    } else {
      if ((await table.stat(newName))?.type === "symlink") entries.push({ path, type: "remove" });
      const plain = conversion === null || conversion.isIdentity(newName);
      const content = plain ? result : conversion.toWorkTree(newName, result, "" as Oid);
      entries.push({ path, content, mode: (newMode & 0o100) !== 0 ? 0o755 : 0o644 });
    }
  }
  // One batch, removals first: a full disk loses nothing.
  if (entries.length > 0) await fs.writeMany(entries);
  await removeEmptyDirectories(table, removed);
}

/** True for a directory that contains some of the files. */
function isAbove(path: string, files: readonly string[]): boolean {
  return files.some((file) => file.startsWith(`${path}/`));
}

/** Keeps the current directory. */
async function removeEmptyDirectories({ place }: FileTable, paths: readonly string[]): Promise<void> {
  const { fs, root, repo } = place;
  const standsIn = repo?.originalCwd ?? repo?.prefix ?? "";
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      if (standsIn.startsWith(path.slice(0, slash + 1))) break;
      const isGone = await fs.rmdir(`${root}/${path.slice(0, slash)}`).then(
        () => true,
        () => false,
      );
      if (!isGone) break;
    }
  }
}

async function updateIndex(
  table: FileTable,
  index: IndexEditor,
  files: readonly AppliedFile[],
  { target }: ApplyOptions,
): Promise<void> {
  const { repo } = table.place;
  if (repo === null) return;
  for (const file of files) if (isRemoved(file) && file.patch.oldName !== null) index.remove(file.patch.oldName);
  for (const { patch, result, conflict } of files) {
    const { newName, newMode } = patch;
    if (patch.isDelete === true || newName === null || result === null) continue;
    const mode = newMode === 0 ? MODE_FILE : newMode;
    if (conflict) {
      index.remove(newName);
      for (const [i, oid] of conflict.entries()) {
        if (oid) index.set({ path: newName, stage: (i + 1) as Stage, mode, oid, stat: NO_STAT });
      }
      continue;
    }
    const gitlink = isGitlinkMode(mode) ? parseOid(decode(result).slice(18, 58)) : null;
    const oid = gitlink ?? (await repo.odb.write("blob", result));
    const stat = target === "cached" || gitlink ? null : await table.stat(newName);
    index.set({ path: newName, stage: 0, mode, oid, stat: stat ? indexStat(stat) : NO_STAT });
  }
}

/** Writes hunks that did not apply to a `.rej` file; false: there were some. */
async function writeReject(table: FileTable, { patch, hunks }: AppliedFile, options: ApplyOptions): Promise<boolean> {
  const { place } = table;
  const failed = hunks.filter(({ at }) => at === null).length;
  if (failed === 0) {
    if (options.verbosity === "verbose") place.print(`Applied patch ${patchName(patch)} cleanly.\n`);
    return true;
  }
  const name = (patch.newName ?? patch.oldName) as string;
  if (options.verbosity !== "quiet") {
    place.print(`Applying patch ${patchName(patch)} with ${failed} reject${failed === 1 ? "" : "s"}...\n`);
  }
  const parts: Uint8Array[] = [encode(`diff a/${name} b/${name}\t(rejected hunks)\n`)];
  for (const [i, { hunk, at }] of hunks.entries()) {
    if (options.verbosity !== "quiet") {
      place.print(at === null ? `Rejected hunk #${i + 1}.\n` : `Hunk #${i + 1} applied cleanly.\n`);
    }
    if (at !== null) continue;
    parts.push(hunk.text);
    if (hunk.text[hunk.text.length - 1] !== 10) parts.push(encode("\n"));
  }
  const file = `${place.root}/${name}.rej`;
  try {
    // Never writes through a symbolic link.
    await place.fs.rm(file, { force: true });
    await place.fs.writeFile(file, concat(parts));
  } catch (error) {
    place.print(`error: cannot open ${name}.rej: ${errnoText((error as { code?: string }).code)}
`);
  }
  return false;
}
