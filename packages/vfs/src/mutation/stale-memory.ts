/**
 * Thrown by a commit when the log does not end as memory expects: a transaction was rolled back through a function that was taken
 * from the storage before the workspace was created, or another writer changed our tables. Nothing was written, and the caches are
 * dropped.
 */
import { FsError } from "../api/errors.ts";

export class StaleMemory extends FsError {
  constructor() {
    super("EAGAIN", {
      syscall: "write",
      reason:
        "the database was changed without the workspace's knowledge (take `transactionSync` and `transaction` from the storage when you call them, and leave ws_* tables alone); try again",
    });
  }
}
