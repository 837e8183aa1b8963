/** Staged and unstaged changes, the commit message, and the diff of the selected path. */
import { useState } from "preact/hooks";
import { runGitOrThrow } from "../api/git.ts";
import { notifyError } from "../state/notices.ts";
import { Message } from "../ui/message.tsx";
import { Split } from "../ui/split.tsx";
import { ChangeList } from "./change-list.tsx";
import { CommitForm } from "./commit-form.tsx";
import { DiffPane } from "./diff-pane.tsx";
import { treeSides } from "./read-sides.ts";
import type { Change, GitStatus } from "./read-status.ts";

interface ChangesPaneProps {
  workspace: string;
  status: GitStatus;
  onDone: () => void;
}

type Where = "staged" | "unstaged" | "conflicts";

export function ChangesPane({ workspace, status, onDone }: ChangesPaneProps) {
  const [chosen, setChosen] = useState<{ where: Where; path: string } | null>(null);
  const all: [Where, Change][] = (["conflicts", "staged", "unstaged"] as const).flatMap((where) =>
    status[where].map((change): [Where, Change] => [where, change]),
  );
  const found =
    all.find(([where, { path }]) => where === chosen?.where && path === chosen.path) ??
    all.find(([, { path }]) => path === chosen?.path);
  const [where, change] = found ?? all[0] ?? [null, null];
  const run = (argv: string[]) =>
    runGitOrThrow(workspace, argv, { callId: `git-${crypto.randomUUID()}` }).then(onDone, (error) =>
      notifyError(`git ${argv[0]} failed`, error),
    );
  const lists: { where: Where; title: string; acts: ReturnType<typeof actsFor> }[] = [
    { where: "conflicts", title: "Conflicts", acts: actsFor("conflicts", status, run) },
    { where: "staged", title: "Staged", acts: actsFor("staged", status, run) },
    { where: "unstaged", title: "Changes", acts: actsFor("unstaged", status, run) },
  ];
  const side = (
    <div class="git-side">
      <CommitForm workspace={workspace} status={status} onDone={onDone} />
      <div class="git-lists">
        {lists.map(({ where: list, title, acts }) => (
          <ChangeList
            key={list}
            title={title}
            changes={status[list]}
            chosen={where === list ? change?.path : undefined}
            acts={acts}
            onChoose={(path) => setChosen({ where: list, path })}
          />
        ))}
        {all.length === 0 && (
          <Message icon="check" title="Nothing to commit" small>
            The files match the last commit.
          </Message>
        )}
      </div>
    </div>
  );
  return (
    <Split class={`git-split ${chosen === null ? "" : "git-open"}`} side={side} label="Width of the list of changes">
      {change === null || where === null ? (
        <Message icon="git" title="No difference">
          What you change in Files, in the terminal, or through the API shows up here at once.
        </Message>
      ) : (
        <DiffPane
          key={`${where}:${change.path}`}
          path={change.path}
          note={where === "staged" ? "staged, against the last commit" : "not staged, against the index"}
          turn={JSON.stringify([status.oid, status.staged, status.unstaged])}
          load={(signal) => treeSides(workspace, change, where === "staged", signal)}
          onBack={() => setChosen(null)}
        />
      )}
    </Split>
  );
}

function actsFor(where: Where, status: GitStatus, run: (argv: string[]) => void) {
  const stage = (paths: string[]) => run(["add", "-A", "--", ...paths]);
  // Before the first commit there is nothing to restore from.
  const unstage = (paths: string[]) =>
    run(status.oid === null ? ["rm", "-r", "-q", "--cached", "--", ...paths] : ["restore", "--staged", "--", ...paths]);
  if (where === "staged") return { icon: "minus" as const, label: "Unstage", run: unstage };
  return { icon: "plus" as const, label: where === "conflicts" ? "Mark as resolved" : "Stage", run: stage };
}
