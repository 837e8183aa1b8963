/** Tests whether a view can be changed, and creates the error of a verb that tries to change a read-only view. */
import { FsError } from "../api/errors.ts";
import type { ReadView, WriteView } from "./views.ts";

export function isWritable(view: ReadView): view is WriteView {
  return "commit" in view;
}

export function readOnly(syscall: string, path?: string): FsError {
  return new FsError("EROFS", {
    syscall,
    ...(path === undefined ? {} : { path }),
    reason: "this is a view of the past; change the present instead",
  });
}
