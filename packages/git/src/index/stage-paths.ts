/** Stages exact paths in their current work tree state; missing ones are removed. For commits of a few files. */
import type { Repository } from "../repository.ts";
import { indexStat, modeTrust, stagedMode } from "./compare-stat.ts";
import { readGitlinkHead } from "./gitlink.ts";
import { hashWorkFiles, type WorkFile } from "./hash-work-file.ts";
import type { IndexEditor } from "./index-editor.ts";
import type { IndexEntry } from "./index-entry.ts";
import { openStagedConversion } from "./staged-conversion.ts";

type WorkRepository = Repository & { readonly workTree: string };

/**
 * Applies the same changes to every editor; entries are created once, with the modes of the first where the file system
 * cannot represent them.
 */
export async function stagePaths(
  repo: WorkRepository,
  paths: readonly string[],
  editors: readonly [IndexEditor, ...IndexEditor[]],
): Promise<void> {
  const { fs, workTree } = repo;
  const [first] = editors;
  const trust = modeTrust(repo.config);
  const files: WorkFile[] = [];
  const entries = new Map<string, IndexEntry | null>();
  for (const path of paths) {
    const stat = await fs.lstat(`${workTree}/${path}`).catch(() => null);
    if (stat === null) entries.set(path, null);
    else if (stat.type !== "dir") files.push({ path, stat });
    else {
      const oid = await readGitlinkHead(fs, `${workTree}/${path}`);
      entries.set(path, oid && { path, stage: 0, mode: stagedMode(stat, trust), oid, stat: indexStat(stat) });
    }
  }
  const conversion = await openStagedConversion(repo, (path) => first.at(path));
  const oids = await hashWorkFiles(repo, files, { conversion, write: true, warn: (text) => repo.warn?.(text) });
  files.forEach(({ path, stat }, i) => {
    const oid = oids[i] ?? null;
    const mode = stagedMode(stat, trust, first.at(path)[0]?.mode);
    entries.set(path, oid && { path, stage: 0, mode, oid, stat: indexStat(stat) });
  });
  for (const editor of editors) {
    for (const [path, entry] of entries) {
      if (entry === null) editor.remove(path);
      else editor.set(entry);
    }
  }
}
