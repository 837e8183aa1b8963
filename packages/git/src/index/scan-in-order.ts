/**
 * Lists a directory of the work tree in the order of the index: by bytes, a directory as if it had its slash, so "a.b" before "a/"
 * before "a0". A directory removed meanwhile is empty.
 */
import type { ScanEntry } from "@workspace/vfs";
import type { Repository } from "../repository.ts";
import { compareText } from "../text/bytes.ts";

export async function scanInOrder(fs: Repository["fs"], path: string): Promise<readonly ScanEntry[]> {
  const entries = await scan(fs, path);
  let sorted = true;
  for (let i = 1; i < entries.length && sorted; i++) {
    sorted = compareEntries(entries[i - 1] as ScanEntry, entries[i] as ScanEntry) < 0;
  }
  return sorted ? entries : [...entries].sort(compareEntries);
}

async function scan(fs: Repository["fs"], path: string): Promise<readonly ScanEntry[]> {
  try {
    return await fs.scan(path);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw error;
  }
}

function compareEntries(a: ScanEntry, b: ScanEntry): number {
  const x = a.stat.type === "dir" ? `${a.name}/` : a.name;
  const y = b.stat.type === "dir" ? `${b.name}/` : b.name;
  return compareText(x, y);
}
