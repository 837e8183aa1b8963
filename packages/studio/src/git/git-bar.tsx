/** The current branch, its state relative to upstream, and push, pull and fetch. */
import { useState } from "preact/hooks";
import { notify, notifyError } from "../state/notices.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { BranchDialog } from "./branch-dialog.tsx";
import type { GitStatus } from "./read-status.ts";
import { firstRemote, lastLine, type RemoteAction, remoteAction } from "./remote-actions.ts";
import { RemoteDialog } from "./remote-dialog.tsx";

interface GitBarProps {
  workspace: string;
  status: GitStatus;
  tab: "changes" | "log";
  onTab: (tab: "changes" | "log") => void;
  onDone: () => void;
}

export function GitBar({ workspace, status, tab, onTab, onDone }: GitBarProps) {
  const [asking, setAsking] = useState<"branch" | "remote" | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const act = async (action: RemoteAction) => {
    setProgress(`${action}…`);
    try {
      if ((await firstRemote(workspace)) === null) setAsking("remote");
      else {
        await remoteAction(workspace, action, status, (text) => setProgress(lastLine(text)));
        notify({ kind: "good", text: `git ${action} finished.` });
      }
    } catch (error) {
      notifyError(`git ${action} failed`, error);
    }
    setProgress(null);
    onDone();
  };
  const changes = status.staged.length + status.unstaged.length + status.conflicts.length;
  return (
    <header class="git-bar">
      <Button icon="branch" label="Branches" onClick={() => setAsking("branch")}>
        {status.branch ?? `detached at ${status.oid?.slice(0, 8)}`}
      </Button>
      <span class="git-upstream faint cut">
        {status.upstream === null ? "no upstream" : `${status.upstream} ↑${status.ahead} ↓${status.behind}`}
      </span>
      <div class="git-tabs" role="tablist" aria-label="Git">
        <TabButton on={tab === "changes"} onClick={() => onTab("changes")}>
          Changes {changes > 0 && <span class="count">{changes}</span>}
        </TabButton>
        <TabButton on={tab === "log"} onClick={() => onTab("log")}>
          Log
        </TabButton>
      </div>
      {progress !== null && (
        <span class="git-progress code cut" role="status">
          {progress}
        </span>
      )}
      {mayWrite() && (
        <span class="git-remote">
          <Button kind="quiet" icon="refresh" label="Fetch" disabled={progress !== null} onClick={() => act("fetch")} />
          <Button kind="quiet" icon="pull" label="Pull" disabled={progress !== null} onClick={() => act("pull")}>
            Pull
          </Button>
          <Button kind="quiet" icon="push" label="Push" disabled={progress !== null} onClick={() => act("push")}>
            Push
          </Button>
        </span>
      )}
      {asking === "branch" && <BranchDialog workspace={workspace} onClose={() => setAsking(null)} onDone={onDone} />}
      {asking === "remote" && <RemoteDialog workspace={workspace} onClose={() => setAsking(null)} />}
    </header>
  );
}

function TabButton({
  on,
  onClick,
  children,
}: {
  on: boolean;
  onClick: () => void;
  children: preact.ComponentChildren;
}) {
  return (
    <button type="button" role="tab" aria-selected={on} onClick={onClick}>
      {children}
    </button>
  );
}
