/**
 * Thrown by a commit that finds the log to end otherwise than memory says: a transaction was rolled back by a function that was taken
 * from the storage before the workspace was made, or somebody else wrote to our tables. Nothing was written, and memory is dropped.
 */
import { FsError } from "../errors.ts";

export class StaleMemory extends FsError {
  constructor() {
    super("EAGAIN", {
      syscall: "write",
      reason:
        "the database was changed without the workspace's knowledge (take `transactionSync` and `transaction` from the storage when you call them, and leave ws_* tables alone); try again",
    });
  }
}
