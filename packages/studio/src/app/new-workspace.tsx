/** A new workspace: empty, or a clone of a git repository. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import type { createWorkspace } from "../api/workspaces.ts";
import { go } from "../state/route.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

const NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/;

export function NewWorkspace({ onClose, create }: { onClose: () => void; create: typeof createWorkspace }) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!NAME.test(name)) return setError("1 to 64 of letters, digits, dot, underscore and hyphen.");
    setBusy(true);
    try {
      await create({ name, from: url === "" ? {} : { git: url } });
      go({ workspace: name, view: "files", path: "" });
    } catch (failure) {
      const refused = asApiError(failure);
      // A server without a list of workspaces makes them at their first use.
      if (refused.missing && url === "") return go({ workspace: name, view: "files", path: "" });
      setError([refused.message, refused.hint].filter(Boolean).join(". "));
      setBusy(false);
    }
  };
  return (
    <Dialog title="New workspace" onClose={onClose}>
      <form class="workspace-removal" onSubmit={submit}>
        <Field label="Name" value={name} focus placeholder="my-agent" error={error} onInput={setName} />
        <Field
          label="Git repository (optional)"
          type="url"
          value={url}
          placeholder="https://…"
          hint="Cloned into the workspace. Leave it out for an empty one."
          onInput={setUrl}
        />
        <div class="dialog-actions">
          <Button label="Cancel" onClick={onClose} />
          <Button kind="primary" type="submit" label={url === "" ? "Create" : "Create and clone"} busy={busy} />
        </div>
      </form>
    </Dialog>
  );
}
