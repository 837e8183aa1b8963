/**
 * What `FileSystem` promises beyond `node:fs`: versions, `ifVersion` on every mutation, the log with actor and call, bulk writes
 * that are all or nothing, streams that are a snapshot, and the exact form of `tree`, `find` and `du`. Runs on SQLite and over RPC.
 */

import { refusedOptions } from "./options.ts";
import { changesContract } from "./our-changes.ts";
import type { MakeOurs } from "./our-subject.ts";
import { treesContract } from "./our-trees.ts";
import { versionsContract } from "./our-versions.ts";

export type { OurSubject } from "./our-subject.ts";

export function oursContract(make: MakeOurs): void {
  versionsContract(make);
  changesContract(make);
  treesContract(make);
  refusedOptions(make);
}
