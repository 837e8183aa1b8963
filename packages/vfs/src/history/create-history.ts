/** `workspace.history` for one identity: a list, one line per verb. */
import { retryStale } from "../context.ts";
import type { Identity } from "../mutation/mutation.ts";
import { optionsOf } from "../options.ts";
import { requireUnrestricted } from "../policy/require-change.ts";
import type { Volume } from "../volume.ts";
import { blame } from "./blame.ts";
import { readDiff } from "./diff.ts";
import type { History, UndoOptions } from "./history.ts";
import type { HistoryContext } from "./history-context.ts";
import { readGroups, readLog } from "./log.ts";
import { purge } from "./purge.ts";
import type { StorePolicy } from "./store-policy.ts";
import { undo } from "./undo.ts";
import { historyUsage } from "./usage.ts";

export function createHistory(volume: Volume, identity: Identity = {}, stores?: StorePolicy): History {
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
      return purge(volume, path);
    },
    use: async () => historyUsage(volume),
  };
}
