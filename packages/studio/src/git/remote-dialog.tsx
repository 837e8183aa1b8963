/** Asks for the URL of the first remote. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { runGitOrThrow } from "../api/git.ts";
import { notify } from "../state/notices.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";

export function RemoteDialog({ workspace, onClose }: { workspace: string; onClose: () => void }) {
  const [url, setUrl] = useState("");
  const [error, setError] = useState<string>();
  const submit = async (event: Event) => {
    event.preventDefault();
    if (url === "") return setError("It needs an address.");
    try {
      await runGitOrThrow(workspace, ["remote", "add", "origin", url]);
      notify({ kind: "good", text: "Added the remote origin. Push or pull again." });
      onClose();
    } catch (failure) {
      setError(asApiError(failure).message);
    }
  };
  return (
    <Dialog title="Where to?" onClose={onClose}>
      <form onSubmit={submit}>
        <p>This repository has no remote yet.</p>
        <Field
          label="Address of the remote"
          type="url"
          focus
          placeholder="https://…"
          value={url}
          error={error}
          onInput={setUrl}
        />
        <div class="dialog-actions">
          <Button label="Cancel" onClick={onClose} />
          <Button kind="primary" type="submit" label="Add" />
        </div>
      </form>
    </Dialog>
  );
}
