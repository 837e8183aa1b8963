/** Every command that ran in this workspace, newest first, by any actor. */
import { useEffect } from "preact/hooks";
import type { ExecRecord } from "../api/exec.ts";
import { feedRevision } from "../state/feed.ts";
import { Button } from "../ui/button.tsx";
import { formatAge, formatDuration } from "../ui/format.ts";
import { Message } from "../ui/message.tsx";
import { commandText, type TerminalSession } from "./terminal-session.ts";

export function CommandList({ session, onChoose }: { session: TerminalSession; onChoose: () => void }) {
  const records = session.records.value;
  const turn = feedRevision.value;
  const running = records.some(({ state }) => state === "running");
  useEffect(() => {
    if (turn > 0) session.refresh();
  }, [turn, session]);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => session.refresh(), 2000);
    return () => clearInterval(timer);
  }, [running, session]);
  return (
    <section class="command-list" aria-label="Command history">
      <header class="pane-head">
        <h2>Commands</h2>
        <Button kind="quiet" icon="refresh" label="Refresh" onClick={() => session.refresh()} />
      </header>
      {records.length === 0 && session.error.value === undefined && (
        <Message icon="terminal" title="No commands yet" small />
      )}
      <ul>
        {records.map((record) => (
          <li key={record.id}>
            <button
              type="button"
              class={record.id === session.shown.value?.id ? "shown" : ""}
              aria-current={record.id === session.shown.value?.id}
              onClick={() => {
                session.show(record.id);
                onChoose();
              }}
            >
              <span class={`command-dot ${tone(record)}`} aria-hidden="true" />
              <span class="cut">
                <span class="code cut">{commandText(record)}</span>
                <span class="faint cut">
                  {outcomeWords(record)} · {formatAge(record.startedAt)}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function tone({ state, exitCode }: ExecRecord): "busy" | "good" | "bad" {
  if (state === "running") return "busy";
  return state === "exited" && exitCode === 0 ? "good" : "bad";
}

export function outcomeWords(record: ExecRecord): string {
  const { state, exitCode, startedAt, endedAt } = record;
  if (state === "running") return "running";
  const took = endedAt === null ? "" : ` in ${formatDuration(endedAt - startedAt)}`;
  return `${state === "exited" ? `exit ${exitCode}` : state}${took}`;
}
