/** `workspace.history` in somebody's name: a list, one line a verb. */
import type { FsContext } from "../context.ts";
import type { Identity } from "../mutation/mutation.ts";
import type { Volume } from "../volume.ts";
import { blame } from "./blame.ts";
import { readDiff } from "./diff.ts";
import type { History } from "./history.ts";
import { readGroups, readLog } from "./log.ts";
import { purge } from "./purge.ts";
import { undo } from "./undo.ts";
import { historyUse } from "./use.ts";

export function createHistory(volume: Volume, identity: Identity = {}): History {
  const ctx: FsContext = { volume, identity };
  return {
    log: async (options) => readLog(volume, options),
    groups: async (options) => readGroups(volume, options),
    diff: (options) => readDiff(volume, options),
    undo: async (options) => undo(ctx, options),
    blame: (path) => blame(ctx, path),
    purge: async (path) => purge(volume, path),
    use: async () => historyUse(volume),
  };
}
