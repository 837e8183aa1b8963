/** What the verbs of history are given: a file system's context, and which directories an undo only adds to. */
import type { FsContext } from "../context.ts";
import type { StorePolicy } from "./store-policy.ts";

export interface HistoryContext extends FsContext {
  readonly stores?: StorePolicy | undefined;
}
