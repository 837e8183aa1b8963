/** Converts a log entry to a change, as `fs.changes` and `history.log` return it. */
import type { Change } from "../api/file-system.ts";
import type { ChangeRow } from "../store/log.ts";
import { typeName } from "../tree/inode.ts";
import type { ReadView } from "./views.ts";

export function toChange(volume: ReadView, row: ChangeRow): Change {
  return {
    cursor: volume.revisions.format(row.rev),
    op: row.op,
    type: typeName(row.type),
    path: row.path,
    ...(row.fromPath === null ? {} : { from: row.fromPath }),
    ino: row.ino,
    timeMs: row.time / 1000,
    group: row.tx,
    ...(row.actor === null ? {} : { actor: row.actor }),
    ...(row.callId === null ? {} : { callId: row.callId }),
  };
}
