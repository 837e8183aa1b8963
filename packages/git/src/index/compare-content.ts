/** Finds entries whose file content differs from what is staged although their stat matches. Reads all files. */
import type { Repository } from "../repository.ts";
import { compareEntryStat, modeTrust } from "./compare-stat.ts";
import { hashWorkFiles, type WorkFile } from "./hash-work-file.ts";
import { stagesIn } from "./index-editor.ts";
import type { IndexEntry } from "./index-entry.ts";
import { openStagedConversion } from "./staged-conversion.ts";

/** Entries whose stat matches (others are detected anyway) but whose content differs. */
export async function findRacilyModified(
  repo: Repository,
  entries: readonly IndexEntry[],
  suspects: readonly IndexEntry[],
): Promise<IndexEntry[]> {
  const { workTree, fs } = repo;
  if (workTree === null) return [];
  const trust = modeTrust(repo.config);
  const files: WorkFile[] = [];
  const checked: IndexEntry[] = [];
  for (const entry of suspects) {
    const stat = await fs.lstat(`${workTree}/${entry.path}`).catch(() => null);
    if (stat === null || stat.type === "dir" || compareEntryStat(entry, stat, trust) !== "same") continue;
    files.push({ path: entry.path, stat });
    checked.push(entry);
  }
  if (files.length === 0) return [];
  const conversion = await openStagedConversion(repo, (path) => stagesIn(entries, path));
  const oids = await hashWorkFiles({ ...repo, workTree }, files, { conversion });
  return checked.filter((entry, i) => oids[i] !== null && oids[i] !== entry.oid);
}
