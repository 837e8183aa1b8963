/**
 * What `FileSystem` promises beyond `node:fs`: versions, `ifVersion` on every mutation, the log with actor and call, bulk writes
 * that are all or nothing, streams that are a snapshot, and the exact form of `tree`, `find` and `du`. Runs on SQLite and over RPC.
 */

import { changesContract } from "./extension-changes.ts";
import type { MakeOurs } from "./extension-subject.ts";
import { treesContract } from "./extension-trees.ts";
import { versionsContract } from "./extension-versions.ts";
import { refusedOptions } from "./options.ts";

export type { OurSubject } from "./extension-subject.ts";

export function oursContract(make: MakeOurs): void {
  versionsContract(make);
  changesContract(make);
  treesContract(make);
  refusedOptions(make);
}
