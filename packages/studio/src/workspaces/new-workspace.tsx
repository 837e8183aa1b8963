/** Creates a workspace: empty, from a git repository, or from an archive. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { go } from "../state/route.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FileField } from "../ui/file-field.tsx";
import { ARCHIVES, archiveFormat, makeWorkspace, type WorkspaceSource } from "./make-workspace.ts";

const NAME = /^(?!\.+$)[A-Za-z0-9._-]{1,64}$/;
const CREATE = { empty: "Create", git: "Create and clone", archive: "Create and unpack" };

export function NewWorkspace({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const kind = file !== null ? "archive" : url === "" ? "empty" : "git";
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!NAME.test(name)) return setError("1 to 64 of letters, digits, dot, underscore and hyphen.");
    if (url !== "" && file !== null) return setError("From a repository or from an archive, not from both.");
    const source = workspaceSource(url, file);
    if (source === null) return setError("That file cannot be unpacked here: choose a .zip, .tar, .tar.gz or .tgz.");
    setBusy(true);
    try {
      await makeWorkspace(name, source);
      go({ workspace: name, view: "files", path: "" });
    } catch (failure) {
      const refused = asApiError(failure);
      // A server without a list of workspaces creates them on first use.
      if (refused.missing && source.kind === "empty") return go({ workspace: name, view: "files", path: "" });
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
          hint="Cloned into the workspace."
          onInput={setUrl}
        />
        <FileField
          label="Archive (optional)"
          accept={ARCHIVES}
          hint="A .zip, .tar or .tar.gz, unpacked into the workspace. Leave both empty for an empty workspace."
          onChoose={setFile}
        />
        <div class="dialog-actions">
          <Button label="Cancel" onClick={onClose} />
          <Button kind="primary" type="submit" label={CREATE[kind]} busy={busy} />
        </div>
      </form>
    </Dialog>
  );
}

/** Null for a file that is not an archive. */
function workspaceSource(url: string, file: File | null): WorkspaceSource | null {
  if (file === null) return url === "" ? { kind: "empty" } : { kind: "git", url };
  const format = archiveFormat(file.name);
  return format === null ? null : { kind: "archive", file, format };
}
