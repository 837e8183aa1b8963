/** One commit: its message, its changed paths, and the diff of one of them. */
import { useState } from "preact/hooks";
import { runGitOrThrow } from "../api/git.ts";
import { Button } from "../ui/button.tsx";
import { Failure, Loading } from "../ui/message.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { LetterMark } from "./change-list.tsx";
import { DiffPane } from "./diff-pane.tsx";
import { type Commit, readCommitChanges } from "./read-commits.ts";
import { commitSides } from "./read-sides.ts";

interface CommitPaneProps {
  workspace: string;
  commit: Commit;
  onBack: () => void;
}

export function CommitPane({ workspace, commit, onBack }: CommitPaneProps) {
  const {
    value: changes,
    error,
    reload,
  } = useLoaded((signal) => readCommitChanges(workspace, commit, signal), [commit.oid]);
  const { value: body } = useLoaded(
    (signal) => runGitOrThrow(workspace, ["log", "-1", "--format=%b", commit.oid], { signal }),
    [commit.oid],
  );
  const [path, setPath] = useState<string | null>(null);
  const change = changes?.find((one) => one.path === path) ?? changes?.[0];
  return (
    <div class="commit-pane">
      <header class="commit-head">
        <Button class="only-narrow" kind="quiet" icon="left" label="Back to the log" onClick={onBack} />
        <h2>{commit.subject}</h2>
        {body?.trim() && <p class="commit-body">{body.trim()}</p>}
        <p class="faint">
          {commit.author} · {new Date(commit.time).toLocaleString()} ·{" "}
          <span class="code">{commit.oid.slice(0, 12)}</span>
          {commit.parents.length > 1 && " · a merge, shown against its first parent"}
        </p>
      </header>
      {error !== undefined && <Failure what="The commit" error={error} retry={reload} small />}
      {changes === undefined && error === undefined && <Loading what="the commit" />}
      <ul class="commit-paths" aria-label="Changed paths">
        {changes?.map((one) => (
          <li key={one.path}>
            <button type="button" class="change" aria-current={one === change} onClick={() => setPath(one.path)}>
              <LetterMark letter={one.letter} />
              <span class="code cut">{one.path}</span>
            </button>
          </li>
        ))}
      </ul>
      {change && (
        <DiffPane
          key={change.path}
          path={change.path}
          note={commit.oid.slice(0, 8)}
          turn={commit.oid}
          load={(signal) => commitSides(workspace, commit, change, signal)}
          onBack={onBack}
        />
      )}
    </div>
  );
}
