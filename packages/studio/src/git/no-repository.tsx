/** A workspace without a repository: initialize one, or clone one into it. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { runGitOrThrow, streamGit } from "../api/git.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Message } from "../ui/message.tsx";
import { lastLine } from "./remote-actions.ts";

export function NoRepository({ workspace, onDone }: { workspace: string; onDone: () => void }) {
  const [url, setUrl] = useState("");
  const [error, setError] = useState<string>();
  const [progress, setProgress] = useState<string>();
  const act = async (work: () => Promise<unknown>) => {
    setError(undefined);
    setProgress("Working…");
    try {
      await work();
      onDone();
    } catch (failure) {
      setError(asApiError(failure).message);
    }
    setProgress(undefined);
  };
  const clone = (event: Event) => {
    event.preventDefault();
    if (url === "") return setError("An address, like https://example.com/repository.git");
    act(() => streamGit(workspace, ["clone", "--progress", url, "."], (text) => setProgress(lastLine(text))));
  };
  return (
    <div class="git-none">
      <Message icon="git" title="No repository here yet">
        Git adds commits, branches and remotes to these files. The history of every change is recorded either way, under
        Activity.
      </Message>
      {mayWrite() && (
        <form class="git-none-form" onSubmit={clone}>
          <Button
            kind="primary"
            icon="plus"
            label="Create a repository"
            busy={progress !== undefined}
            onClick={() => act(() => runGitOrThrow(workspace, ["init", "--initial-branch=main"]))}
          >
            Create a repository
          </Button>
          <span class="faint">or clone one into the empty workspace</span>
          <div class="git-none-line">
            <Field label="Address" bare type="url" placeholder="https://…" value={url} error={error} onInput={setUrl} />
            <Button type="submit" label="Clone" disabled={progress !== undefined} />
          </div>
          {progress !== undefined && (
            <p class="faint code" role="status">
              {progress}
            </p>
          )}
        </form>
      )}
    </div>
  );
}
