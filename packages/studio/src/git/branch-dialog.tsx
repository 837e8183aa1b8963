/** The branches: switch to one, or create one from here. */
import { useState } from "preact/hooks";
import { asApiError } from "../api/api-error.ts";
import { runGitOrThrow } from "../api/git.ts";
import { notify } from "../state/notices.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Failure, Loading } from "../ui/message.tsx";
import { useLoaded } from "../ui/use-loaded.ts";

interface BranchDialogProps {
  workspace: string;
  onClose: () => void;
  onDone: () => void;
}

interface Branch {
  name: string;
  current: boolean;
  remote: boolean;
}

export function BranchDialog({ workspace, onClose, onDone }: BranchDialogProps) {
  const { value: branches, error, reload } = useLoaded((signal) => readBranches(workspace, signal), [workspace]);
  const [name, setName] = useState("");
  const [refused, setRefused] = useState<string>();
  const checkout = async (argv: string[], target: string) => {
    try {
      await runGitOrThrow(workspace, argv, { callId: `checkout-${crypto.randomUUID()}` });
      notify({ kind: "good", text: `Switched to ${target}.` });
      onDone();
      onClose();
    } catch (failure) {
      setRefused(asApiError(failure).message);
    }
  };
  const create = (event: Event) => {
    event.preventDefault();
    if (name.trim() === "") return setRefused("A new branch needs a name.");
    checkout(["checkout", "-b", name.trim()], name.trim());
  };
  return (
    <Dialog title="Branches" onClose={onClose}>
      {error !== undefined && <Failure what="Branches" error={error} retry={reload} small />}
      {branches === undefined && error === undefined && <Loading what="branches" />}
      <ul class="branch-list">
        {branches?.map((branch) => (
          <li key={branch.name}>
            <button
              type="button"
              class="branch"
              disabled={branch.current || !mayWrite()}
              aria-current={branch.current}
              onClick={() => checkout(["checkout", localName(branch)], localName(branch))}
            >
              <Icon name={branch.current ? "check" : "branch"} />
              <span class="cut">{branch.name}</span>
              {branch.remote && <span class="faint">remote</span>}
            </button>
          </li>
        ))}
      </ul>
      {mayWrite() && (
        <form class="branch-new" onSubmit={create}>
          <Field label="New branch from here" value={name} code placeholder="topic" error={refused} onInput={setName} />
          <Button kind="primary" type="submit" label="Create" />
        </form>
      )}
    </Dialog>
  );
}

/** A remote branch is checked out as a local one that tracks it. */
function localName({ name, remote }: Branch): string {
  return remote ? name.slice(name.indexOf("/") + 1) : name;
}

async function readBranches(workspace: string, signal: AbortSignal): Promise<Branch[]> {
  const format = "%(HEAD)%00%(refname)";
  const text = await runGitOrThrow(workspace, ["for-each-ref", `--format=${format}`, "refs/heads", "refs/remotes"], {
    signal,
  });
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [head, ref = ""] = line.split("\0");
      return {
        name: ref.replace(/^refs\/(heads|remotes)\//, ""),
        current: head === "*",
        remote: ref.startsWith("refs/remotes/"),
      };
    })
    .filter(({ name }) => !name.endsWith("/HEAD"));
}
