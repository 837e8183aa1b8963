/** The context of the history verbs: a file system's context, and the directories that an undo only adds to. */
import type { FsContext } from "../volume/context.ts";
import type { StorePolicy } from "./revert/store-policy.ts";

export interface HistoryContext extends FsContext {
  readonly stores?: StorePolicy | undefined;
}
