/** History and snapshots over RPC: plain values both ways, every argument checked. */
import { RPC_LIMITS } from "@workspace/protocol";
import { flag, integer, list, optional, options, path, text } from "./arguments.ts";
import type { CallContext } from "./call-context.ts";
import { verbsOn } from "./verb.ts";

const verb = verbsOn<CallContext>();
const value = async (work: Promise<unknown>) => ({ value: await work });
const yes = optional(flag);
const word = optional(text);
const count = optional(integer);

const filter = { path: optional(path), since: word, until: word, actor: word, callId: word };
const log = optional(options({ ...filter, limit: count, cursor: word }));
const diff = options({ from: text, to: word, path: optional(path), context: count, patches: yes });
const undo = options({
  callId: word,
  group: count,
  path: optional(path),
  since: word,
  actor: word,
  dryRun: yes,
  force: yes,
  merge: yes,
});
const restore = optional(options({ paths: optional(list(path, RPC_LIMITS.listItems)), dryRun: yes }));

export const historyVerbs = {
  historyLog: verb([log], ({ workspace }, o) => value(workspace.history.log(o))),
  historyGroups: verb([log], ({ workspace }, o) => value(workspace.history.groups(o))),
  historyDiff: verb([diff], ({ workspace }, o) => value(workspace.history.diff(o))),
  historyUndo: verb([undo], ({ workspace }, o) => value(workspace.history.undo(o))),
  historyBlame: verb([path], ({ workspace }, at) => value(workspace.history.blame(at))),
  historyPurge: verb([path], ({ workspace }, at) => value(workspace.history.purge(at))),
  historyUse: verb([], ({ workspace }) => value(workspace.history.use())),
  snapshotCreate: verb([word, optional(options({ pinned: yes }))], ({ workspace }, name, o) =>
    value(workspace.snapshots.create(name, o)),
  ),
  snapshotList: verb([], ({ workspace }) => value(workspace.snapshots.list())),
  snapshotGet: verb([text], ({ workspace }, id) => value(workspace.snapshots.get(id))),
  snapshotRemove: verb([text], ({ workspace }, id) => workspace.snapshots.remove(id).then(() => ({}))),
  snapshotRestore: verb([text, restore], ({ workspace }, moment, o) => value(workspace.snapshots.restore(moment, o))),
};
