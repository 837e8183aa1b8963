/** Which views can be changed, and the error of a verb that changes one that cannot. */
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
