/**
 * Thrown by a commit that had to drop history to reclaim space: its plan may depend on what was dropped, a past content or a
 * removed inode. Nothing was written. There is space now: plan again.
 */
import { FsError } from "../api/errors.ts";

export class RoomMade extends FsError {
  constructor() {
    super("EAGAIN", { syscall: "write", reason: "history was removed to make room; try again" });
  }
}
