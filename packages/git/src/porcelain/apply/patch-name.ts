/** The name of a patch's file in messages: both names for a rename. */
import type { FilePatch } from "@workspace/text";
import { quotePath } from "../../text/quote-path.ts";

export function patchName({ oldName, newName }: FilePatch): string {
  if (oldName !== null && newName !== null && oldName !== newName) {
    return `${quotePath(oldName)} => ${quotePath(newName)}`;
  }
  return quotePath((newName ?? oldName) as string);
}
