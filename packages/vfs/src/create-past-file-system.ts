/** The file system at a point in time: the verbs that read, and EROFS for those that write. */

import type { SearchableFileSystem } from "./api/file-system.ts";
import type { PointInTime } from "./api/history.ts";
import { WRITE_VERBS } from "./api/write-verbs.ts";
import { readVerbs } from "./create-file-system.ts";
import { pastView } from "./history/past/past-views.ts";
import { resolvePointInTime } from "./history/past/point-in-time.ts";
import type { ReadContext } from "./volume/context.ts";
import { readOnly } from "./volume/read-only.ts";
import type { ReadView } from "./volume/views.ts";

/** A point in time, resolved on first use and then fixed, whatever "now" means later. */
export interface LazyPastView {
  readonly fs: SearchableFileSystem;
  /** For features built on a view, such as git. */
  view(): ReadView;
}

export function createPastView(present: ReadView, moment: PointInTime): LazyPastView {
  let rev: number | undefined;
  const view = () => pastView(present, (rev ??= resolvePointInTime(present, moment, "at")));
  return { fs: createReadOnlyFileSystem(view), view };
}

/** `open` returns the view for each call. */
export function createReadOnlyFileSystem(open: () => ReadView): SearchableFileSystem {
  const ctx: ReadContext = {
    get volume() {
      return open();
    },
  };
  const refused = Object.entries(WRITE_VERBS).map(([name, syscall]) => [
    name,
    async (path: unknown) => {
      throw readOnly(syscall, typeof path === "string" ? path : undefined);
    },
  ]);
  return {
    ...readVerbs(ctx),
    ...(Object.fromEntries(refused) as Pick<SearchableFileSystem, keyof typeof WRITE_VERBS>),
  };
}
