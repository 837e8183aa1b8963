/** Git: changes, commits and branches. Without a repository, how to create one. */
import { useEffect, useState } from "preact/hooks";
import { feedRevision } from "../state/feed.ts";
import { route } from "../state/route.ts";
import { Failure, Loading } from "../ui/message.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { ChangesPane } from "./changes-pane.tsx";
import { GitBar } from "./git-bar.tsx";
import { LogPane } from "./log-pane.tsx";
import { NoRepository } from "./no-repository.tsx";
import { readStatus } from "./read-status.ts";
import "./git.css";

export function GitView() {
  const name = route.value.workspace as string;
  const [tab, setTab] = useState<"changes" | "log">("changes");
  const { value: status, error, reload } = useLoaded((signal) => readStatus(name, signal), [name]);
  const turn = feedRevision.value;
  useEffect(() => {
    // Changes arrive in bursts, git's own among them.
    const timer = setTimeout(reload, 300);
    return () => clearTimeout(timer);
  }, [turn, reload]);
  if (status === undefined)
    return error === undefined ? <Loading what="git" /> : <Failure what="Git" error={error} retry={reload} />;
  if (status === null) return <NoRepository workspace={name} onDone={reload} />;
  return (
    <div class="git">
      <GitBar workspace={name} status={status} tab={tab} onTab={setTab} onDone={reload} />
      {tab === "changes" ? (
        <ChangesPane workspace={name} status={status} onDone={reload} />
      ) : (
        <LogPane workspace={name} turn={`${status.oid}${turn}`} />
      )}
    </div>
  );
}
