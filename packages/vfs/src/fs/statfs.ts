/** `statfs`: a Durable Object holds 10 GB; the used space is the size of the database, history included. */

import type { StatFs, StatOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { parsePath } from "../tree/path.ts";
import { resolveExisting } from "../tree/resolve.ts";
import type { ReadContext } from "../volume/context.ts";

const BLOCK = 4096;
/** "WRKS". */
const TYPE = 0x57524b53;

export async function statfs({ volume }: ReadContext, given: string, options?: StatOptions): Promise<StatFs> {
  optionsOf("statfs", options, given);
  resolveExisting(volume.ensureOpen().cache, parsePath(given, "statfs"), "statfs", "follow");
  const blocks = Math.floor(volume.limits.databaseBytes / BLOCK);
  const free = Math.max(0, blocks - Math.ceil(volume.store.db.bytes / BLOCK));
  // Only space bounds the number of inodes. They are not counted, because counting would read them all.
  const historyBytes =
    volume.store.retainedBytes - (volume.store.logTail.entry?.retainedBefore ?? volume.store.retainedBytes);
  return { type: TYPE, bsize: BLOCK, blocks, bfree: free, bavail: free, files: 0, ffree: 0, historyBytes };
}
