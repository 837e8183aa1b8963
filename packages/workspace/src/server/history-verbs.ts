/** History and snapshots over RPC: plain values both ways, every argument checked. */
import type { DiffOptions } from "@workspace/vfs";
import { optional, optionsOf, path, text } from "./arguments.ts";
import type { CallContext } from "./call-context.ts";
import { verbDefiner } from "./verb.ts";

const verb = verbDefiner<CallContext>();
const value = async (work: Promise<unknown>) => ({ value: await work });
const word = optional(text);

export const historyVerbs = {
  historyLog: verb([optionsOf("history.log")], ({ workspace }, o) => value(workspace.history.log(o))),
  historyGroups: verb([optionsOf("history.groups")], ({ workspace }, o) => value(workspace.history.groups(o))),
  historyDiff: verb([optionsOf("history.diff")], ({ workspace }, o) => value(workspace.history.diff(o as DiffOptions))),
  historyUndo: verb([optionsOf("history.undo")], ({ workspace }, o) => value(workspace.history.undo(o ?? {}))),
  historyBlame: verb([path], ({ workspace }, at) => value(workspace.history.blame(at))),
  historyPurge: verb([path], ({ workspace }, at) => value(workspace.history.purge(at))),
  historyUse: verb([], ({ workspace }) => value(workspace.history.use())),
  snapshotCreate: verb([word, optionsOf("snapshots.create")], ({ workspace }, name, o) =>
    value(workspace.snapshots.create(name, o)),
  ),
  snapshotList: verb([], ({ workspace }) => value(workspace.snapshots.list())),
  snapshotGet: verb([text], ({ workspace }, id) => value(workspace.snapshots.get(id))),
  snapshotRemove: verb([text], ({ workspace }, id) => workspace.snapshots.remove(id).then(() => ({}))),
  snapshotRestore: verb([text, optionsOf("snapshots.restore")], ({ workspace }, moment, o) =>
    value(workspace.snapshots.restore(moment, o)),
  ),
};
