/** `workspace.history` in somebody's name: a list, one line a verb. */
import type { FsContext } from "../context.ts";
import type { Identity } from "../mutation/mutation.ts";
import type { Volume } from "../volume.ts";
import { readDiff } from "./diff.ts";
import type { History } from "./history.ts";
import { readGroups, readLog } from "./log.ts";
import { undo } from "./undo.ts";

export function createHistory(volume: Volume, identity: Identity = {}): History {
  const ctx: FsContext = { volume, identity };
  return {
    log: async (options) => readLog(volume, options),
    groups: async (options) => readGroups(volume, options),
    diff: (options) => readDiff(volume, options),
    undo: async (options) => undo(ctx, options),
  } as History;
}
