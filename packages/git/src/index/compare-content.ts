/** Which entries' files hold something else than is staged, for entries whose stat says they are the same. Reads them all. */
import type { Repository } from "../repository.ts";
import { compareEntryStat, modeTrust } from "./compare-stat.ts";
import { hashWorkFiles, type WorkFile } from "./hash-work-file.ts";
import { stagesIn } from "./index-editor.ts";
import type { IndexEntry } from "./index-entry.ts";
import { openStagedConversion } from "./staged-conversion.ts";

/** Entries that are not known to be wrong by their stat (which the next look sees anyway) but are by their content. */
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
