/** The message and the commit button: commits the staged changes, or everything if nothing is staged. */
import { useState } from "preact/hooks";
import { runGitOrThrow } from "../api/git.ts";
import { notify, notifyError } from "../state/notices.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import type { GitStatus } from "./read-status.ts";

interface CommitFormProps {
  workspace: string;
  status: GitStatus;
  onDone: () => void;
}

export function CommitForm({ workspace, status, onDone }: CommitFormProps) {
  const [message, setMessage] = useState("");
  const [busy, setBusy] = useState(false);
  if (!mayWrite()) return null;
  const staged = status.staged.length;
  const possible = staged + status.unstaged.length > 0 && status.conflicts.length === 0;
  const commit = async (event: Event) => {
    event.preventDefault();
    if (!possible || message.trim() === "") return;
    setBusy(true);
    const callId = `commit-${crypto.randomUUID()}`;
    try {
      if (staged === 0) await runGitOrThrow(workspace, ["add", "-A"], { callId });
      await runGitOrThrow(workspace, ["commit", "--quiet", "-F", "-"], { callId, stdin: message });
      setMessage("");
      notify({ kind: "good", text: `Committed to ${status.branch ?? "a detached head"}.` });
    } catch (error) {
      notifyError("Not committed", error);
    }
    setBusy(false);
    onDone();
  };
  const label = staged > 0 ? `Commit ${plural(staged, "path")}` : "Stage all and commit";
  return (
    <form class="commit-form" onSubmit={commit}>
      <textarea
        class="area"
        aria-label="Commit message"
        placeholder="What this commit does"
        rows={2}
        value={message}
        onInput={(event) => setMessage(event.currentTarget.value)}
        onKeyDown={(event) => (event.ctrlKey || event.metaKey) && event.key === "Enter" && commit(event)}
      />
      <Button
        kind="primary"
        type="submit"
        icon="check"
        label={label}
        busy={busy}
        disabled={!possible || message.trim() === ""}
      >
        {label}
      </Button>
    </form>
  );
}
