/** Saves, and reports the outcome. A concurrent change opens the three-way view; nothing is overwritten silently. */
import type { FileDocument } from "../state/file-document.ts";
import { notify, notifyError } from "../state/notices.ts";
import { mayWrite } from "../state/session.ts";

export async function saveDocument(file: FileDocument, options: { overwrite?: boolean } = {}): Promise<boolean> {
  if (!mayWrite()) {
    notify({ kind: "bad", text: "This session is read-only.", hint: "Sign in with a token that can write." });
    return false;
  }
  if (!file.dirty.value && !options.overwrite && file.rival.value === null) return true;
  try {
    if ((await file.save(options)) === "saved") return true;
    file.merging.value = true;
    notify({ kind: "plain", text: `${file.path} has changed since you opened it. Nothing was overwritten.` });
  } catch (error) {
    notifyError(`${file.path} was not saved`, error);
  }
  return false;
}
