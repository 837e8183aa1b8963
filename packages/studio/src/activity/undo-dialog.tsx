/** A later change conflicts with an undo: merge, force the undo, or cancel. */
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import type { UndoConflict } from "./undo-item.ts";

interface UndoDialogProps {
  conflict: UndoConflict;
  onClose: () => void;
  onChoose: (how: { merge?: boolean; force?: boolean }) => void;
}

export function UndoDialog({ conflict, onClose, onChoose }: UndoDialogProps) {
  return (
    <Dialog title="Later changes conflict with this undo" onClose={onClose}>
      <p>{conflict.message}. Nothing was changed.</p>
      <ul class="code">
        {conflict.paths.map((path) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
      <div class="dialog-actions">
        <Button label="Cancel" onClick={onClose} />
        <Button kind="danger" label="Undo both" onClick={() => onChoose({ force: true })} />
        <Button kind="primary" label="Merge" onClick={() => onChoose({ merge: true })} />
      </div>
    </Dialog>
  );
}
