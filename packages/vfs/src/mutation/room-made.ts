/**
 * Thrown by a commit that had to give up history to make room: what it planned may rest on what went, a past content or a removed
 * inode. Nothing was written. There is room now: plan again.
 */
import { FsError } from "../errors.ts";

export class RoomMade extends FsError {
  constructor() {
    super("EAGAIN", { syscall: "write", reason: "history was given up to make room; try again" });
  }
}
