/** The conflicts of a plan, with messages for the caller; at most a fixed number is listed. */

import type { Conflict } from "../../api/history.ts";
import { historyLimits } from "../../api/limits.ts";
import { selectEntry } from "../../store/log-reader.ts";
import type { LogRow } from "../../store/log-row.ts";
import type { ReadView } from "../../volume/views.ts";

/** `force` cannot restore it. */
export const PURGED_REASON = "what it held then was purged";

/** Each method returns false: its subject is not part of the plan. */
export class Conflicts {
  readonly list: Conflict[] = [];
  readonly #volume: ReadView;

  constructor(volume: ReadView) {
    this.#volume = volume;
  }

  /** An entry that is not being reverted has changed it since. */
  later(path: string, entry: LogRow, more = ""): false {
    const { actor, callId, op, rev } = entry;
    const who = [actor, callId === null ? null : `call ${callId}`].filter((part) => part !== null);
    const by = who.length === 0 ? "" : ` by ${who.join(", ")}`;
    return this.add({
      path,
      reason: `${op === "rename" ? "renamed" : op === "remove" ? "removed" : "changed"} later${by}${more === "" ? "" : `, ${more}`}`,
      cursor: this.#volume.revisions.format(rev),
      ...(actor === null ? {} : { actor }),
      ...(callId === null ? {} : { callId }),
    });
  }

  /** As `later`, for the entry with this revision; `otherwise` if the log no longer has it. */
  laterAt(path: string, rev: number, otherwise: string): false {
    const entry = selectEntry(this.#volume.store.db, rev);
    return entry === null ? this.add({ path, reason: otherwise }) : this.later(path, entry);
  }

  purged(path: string): false {
    return this.add({ path, reason: PURGED_REASON });
  }

  add(conflict: Conflict): false {
    const { rules, root } = this.#volume;
    const isShown = rules === null || rules.visibility(conflict.path) === "visible";
    const named = isShown ? conflict : { path: root, reason: "a file outside this view was changed later" };
    if (this.list.length < historyLimits.reportedChanges) this.list.push(named);
    return false;
  }
}
