/** `changes`: the log from a cursor on. Cursors are durable; one that is too old, or of a restored database, fails with EGONE. */

import { FsError } from "../api/errors.ts";
import type { ChangePage, ChangesOptions } from "../api/file-system.ts";
import { optionsOf } from "../api/options.ts";
import { shownChange } from "../policy/shown-change.ts";
import { type ChangeRow, selectChanges } from "../store/log.ts";
import { parsePath } from "../tree/path.ts";
import type { ReadContext } from "../volume/context.ts";
import { toChange } from "../volume/to-change.ts";
import type { ReadView } from "../volume/views.ts";

export async function changes(ctx: ReadContext, options: ChangesOptions = {}): Promise<ChangePage> {
  return changesSince(ctx.volume.ensureOpen(), optionsOf<ChangesOptions>("changes", options, undefined));
}

export function changesSince(volume: ReadView, { since, path, limit }: ChangesOptions): ChangePage {
  const page = pageSize(limit, volume.limits.changesPage);
  const under = path === undefined ? undefined : `/${parsePath(path, "changes").parts.join("/")}`;
  const after = since === undefined ? 0 : revisionAfter(volume, since);
  const logged = selectChanges(volume.store.db, after, volume.revisions.head, page);
  const rows = volume.rules === null ? logged : logged.flatMap((row) => shownChange(volume, row) ?? []);
  const at = logged.at(-1)?.rev ?? (since === undefined ? volume.revisions.head : after);
  return {
    changes: rows.filter((row) => under === undefined || isUnder(row, under)).map((row) => toChange(volume, row)),
    cursor: volume.revisions.format(at),
    more: at < volume.revisions.head,
  };
}

/** The revision of a cursor that can still be followed without a gap. */
function revisionAfter(volume: ReadView, since: string): number {
  const oldest = volume.revisions.oldest;
  const rev = volume.revisions.parse(since, "changes");
  if (rev < oldest) {
    throw new FsError("EGONE", {
      syscall: "changes",
      path: since,
      reason: "the log no longer reaches back to this cursor",
      oldest: volume.revisions.format(oldest),
    });
  }
  return rev;
}

function isUnder({ path, fromPath }: ChangeRow, directory: string): boolean {
  const under = (at: string) => at === directory || directory === "/" || at.startsWith(`${directory}/`);
  return under(path) || (fromPath !== null && under(fromPath));
}

function pageSize(limit: number | undefined, max: number): number {
  if (limit === undefined) return max;
  if (!Number.isInteger(limit) || limit < 1)
    throw new FsError("EINVAL", { syscall: "changes", reason: "limit must be a positive integer" });
  return Math.min(limit, max);
}
