/** Uploads files and reports the outcome; asks before it replaces anything. */
import { undo } from "../api/history.ts";
import { notify, notifyError } from "../state/notices.ts";
import { plural } from "../ui/format.ts";
import type { DroppedFile } from "./dropped-files.ts";
import { upload } from "./upload.ts";

export async function sendFiles(workspace: string, folder: string, files: readonly DroppedFile[]): Promise<void> {
  if (files.length === 0) return;
  const { callId, written, inTheWay, failed } = await upload(workspace, folder, files);
  if (written > 0)
    notify({
      kind: "good",
      text: `${plural(written, "file")} uploaded.`,
      action: {
        label: "Undo",
        run: () => undo(workspace, { callId }).catch((error) => notifyError("The upload was not undone", error)),
      },
    });
  if (inTheWay.length > 0)
    notify({
      kind: "bad",
      text: `${plural(inTheWay.length, "file is", "files are")} there already: ${names(inTheWay)}`,
      action: {
        label: "Replace",
        run: () =>
          upload(workspace, folder, inTheWay, { replace: true }).then((again) =>
            notify({ kind: "good", text: `${plural(again.written, "file")} replaced.` }),
          ),
      },
    });
  for (const { path, message } of failed) notify({ kind: "bad", text: `${path} was not uploaded: ${message}` });
}

function names(files: readonly DroppedFile[]): string {
  const shown = files.slice(0, 3).map(({ path }) => path);
  return shown.join(", ") + (files.length > shown.length ? " …" : "");
}
