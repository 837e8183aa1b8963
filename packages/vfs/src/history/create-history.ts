/** Creates `workspace.history` for one identity: a list with one line per verb. */

import type { History, UndoOptions } from "../api/history.ts";
import { optionsOf } from "../api/options.ts";
import type { Identity } from "../mutation/mutation.ts";
import { requireUnrestricted } from "../policy/require-change.ts";
import { retryStale } from "../volume/context.ts";
import type { WriteView } from "../volume/views.ts";
import type { HistoryContext } from "./history-context.ts";
import { blame } from "./log/blame.ts";
import { readDiff } from "./log/diff.ts";
import { readGroups, readLog } from "./log/log.ts";
import { historyUsage } from "./log/usage.ts";
import { purge } from "./purge.ts";
import type { StorePolicy } from "./revert/store-policy.ts";
import { undo } from "./revert/undo.ts";

export function createHistory(volume: WriteView, identity: Identity = {}, stores?: StorePolicy): History {
  const ctx: HistoryContext = { volume, identity, stores };
  return {
    log: async (options) => readLog(volume, optionsOf("history.log", options)),
    groups: async (options) => readGroups(volume, optionsOf("history.groups", options)),
    diff: async (options) => readDiff(volume, optionsOf("history.diff", options)),
    undo: async (options) => {
      const known = optionsOf<UndoOptions>("history.undo", options);
      return retryStale(volume, () => undo(ctx, known));
    },
    blame: async (path, ...options: unknown[]) => {
      optionsOf("history.blame", options[0], path);
      return blame(ctx, path);
    },
    purge: async (path, ...options: unknown[]) => {
      optionsOf("history.purge", options[0], path);
      requireUnrestricted(volume, "purge");
      return purge(volume.store, path);
    },
    use: async () => historyUsage(volume),
  };
}
