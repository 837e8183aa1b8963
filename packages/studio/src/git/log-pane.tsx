/** Shows commits as a graph, and the files and diffs of the selected commit. */
import { useMemo, useState } from "preact/hooks";
import { Button } from "../ui/button.tsx";
import { formatAge } from "../ui/format.ts";
import { Failure, Loading, Message } from "../ui/message.tsx";
import { Split } from "../ui/split.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { CommitPane } from "./commit-pane.tsx";
import { GraphCell } from "./graph-cell.tsx";
import { graphRows } from "./graph-rows.ts";
import { type Commit, readCommits } from "./read-commits.ts";

const PAGE = 200;

export function LogPane({ workspace, turn }: { workspace: string; turn: string }) {
  const [count, setCount] = useState(PAGE);
  const [chosen, setChosen] = useState<string | null>(null);
  const {
    value: commits,
    error,
    reload,
  } = useLoaded((signal) => readCommits(workspace, count, signal), [workspace, turn, count]);
  const rows = useMemo(() => graphRows(commits ?? []), [commits]);
  if (commits === undefined) {
    if (error === undefined) return <Loading what="the log" />;
    return <Failure what="The log" error={error} retry={reload} />;
  }
  if (commits.length === 0)
    return (
      <Message icon="git" title="No commit yet">
        Create a workspace under Changes.
      </Message>
    );
  const commit = commits.find(({ oid }) => oid === chosen) ?? commits[0]!;
  const side = (
    <div class="log-list">
      <ul aria-label="Commits">
        {commits.map((one, i) => (
          <li key={one.oid} class={one.oid === commit.oid ? "shown" : ""}>
            <button type="button" aria-current={one.oid === commit.oid} onClick={() => setChosen(one.oid)}>
              <GraphCell row={rows[i]!} />
              <CommitWords commit={one} />
            </button>
          </li>
        ))}
      </ul>
      {commits.length === count && <Button class="log-more" label="More" onClick={() => setCount(count + PAGE)} />}
    </div>
  );
  return (
    <Split class={`git-split git-log ${chosen === null ? "" : "git-open"}`} side={side} label="Width of the log">
      <CommitPane key={commit.oid} workspace={workspace} commit={commit} onBack={() => setChosen(null)} />
    </Split>
  );
}

function CommitWords({ commit }: { commit: Commit }) {
  return (
    <span class="commit-words cut">
      <span class="cut">
        {commit.refs.map((ref) => (
          <span key={ref} class={`ref ${ref.startsWith("HEAD") ? "head" : ""}`} title={ref}>
            {ref.replace("HEAD -> ", "").replace("tag: ", "")}
          </span>
        ))}
        {commit.subject}
      </span>
      <span class="faint cut">
        {commit.author} · {formatAge(commit.time)} · <span class="code">{commit.oid.slice(0, 8)}</span>
      </span>
    </span>
  );
}
