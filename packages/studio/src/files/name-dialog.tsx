/** Asks for a path: of a new file or folder, or the new path of a renamed entry. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

interface NameDialogProps {
  title: string;
  action: string;
  start: string;
  onClose: () => void;
  submit: (path: string) => Promise<void>;
}

export function NameDialog({ title, action, start, onClose, submit }: NameDialogProps) {
  const [path, setPath] = useState(start);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const onSubmit = async (event: Event) => {
    event.preventDefault();
    const wanted = path.trim().replace(/^\/+|\/+$/g, "");
    if (wanted === "") return setError("It needs a name.");
    if (wanted.split("/").some((name) => name === "." || name === "..")) return setError("A path without . and ..");
    setBusy(true);
    try {
      await submit(wanted);
      onClose();
    } catch (failure) {
      const refused = asApiError(failure);
      setError(refused.status === 412 ? "There is something of this name already." : refused.message);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={onSubmit}>
        <Field label="Path in the workspace" value={path} focus code error={error} onInput={setPath} />
        <div class="dialog-actions">
          <Button label="Cancel" onClick={onClose} />
          <Button kind="primary" type="submit" label={action} busy={busy} />
        </div>
      </form>
    </Dialog>
  );
}
