/** Shown above a document whose file was changed or removed while it was being edited. */
import { useState } from "preact/hooks";
import type { FileDocument } from "../state/file-document.ts";
import { notifyError } from "../state/notices.ts";
import { closeTab } from "../state/tabs.ts";
import { Button } from "../ui/button.tsx";
import { saveDocument } from "./save-document.ts";

export function ConflictBar({ file }: { file: FileDocument }) {
  const rival = file.rival.value;
  const [sure, setSure] = useState(false);
  if (rival === null || (file.merging.value && rival.text !== null)) return null;
  if (rival.text === null)
    return (
      <div class="rival" role="alert">
        <span>This file was removed. This tab has the only copy of its text.</span>
        <Button label="Save again" onClick={() => saveDocument(file, { overwrite: true })} />
        <Button label="Close" onClick={() => closeTab(file.path)} />
      </div>
    );
  const revert = () => {
    if (!sure) return setSure(true);
    setSure(false);
    file.revert().catch((error) => notifyError("It could not be read again", error));
  };
  return (
    <div class="rival" role="alert">
      <span>This file changed while you were editing it. Your edits are still here.</span>
      <Button kind="primary" label="Compare and merge" onClick={() => (file.merging.value = true)} />
      <Button label={sure ? "Confirm: discard my edits" : "Discard my edits"} onClick={revert} />
    </div>
  );
}
