/** Details of the selected command: how it ended, where it ran, its changes, and one-click undo. */
import { useState } from "preact/hooks";
import { type LogEntry, readLog, undo } from "../api/history.ts";
import { relative } from "../api/path.ts";
import { notify, notifyError } from "../state/notices.ts";
import { mayWrite } from "../state/session.ts";
import { openFile } from "../state/tabs.ts";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { outcomeWords, tone } from "./command-list.tsx";
import type { TerminalSession } from "./terminal-session.ts";

export function CommandOutcome({ session, onList }: { session: TerminalSession; onList: () => void }) {
  const record = session.shown.value;
  const [open, setOpen] = useState(false);
  const callId = record?.callId ?? "";
  const { value, reload } = useLoaded<LogEntry[]>(
    async (signal) =>
      callId === "" ? [] : (await readLog(session.workspace, { callId, limit: 1000 }, signal)).entries,
    [session.workspace, callId, record?.state],
  );
  const list = <Button class="only-narrow" kind="quiet" icon="clock" label="Commands and ports" onClick={onList} />;
  if (record === null) return <header class="command-outcome only-narrow">{list}</header>;
  const entries = value ?? [];
  const changed = byPath(entries);
  const paths = changed.map(({ path }) => path);
  const rollback = async () => {
    try {
      const { total = 0 } = await undo(session.workspace, { callId });
      notify({
        kind: "good",
        text: total === 0 ? "There was nothing to take back." : `Undone: ${plural(total, "change")}.`,
      });
      reload();
    } catch (error) {
      notifyError("Not undone, and nothing was changed", error);
    }
  };
  return (
    <header class="command-outcome">
      {list}
      <span class={`command-dot ${tone(record)}`} aria-hidden="true" />
      <span role="status">{outcomeWords(record)}</span>
      <span class="command-place" title="Working directory">
        {record.ranOn}
      </span>
      {record.actor !== undefined && <span class="faint cut">by {record.actor}</span>}
      <span class="grow" />
      {paths.length > 0 ? (
        <Button kind="quiet" label="Show changes" expanded={open} onClick={() => setOpen(!open)}>
          {plural(paths.length, "file")} changed
        </Button>
      ) : (
        value !== undefined && record.state !== "running" && <span class="faint">no file changed</span>
      )}
      {paths.length > 0 && mayWrite() && (
        <Button kind="quiet" icon="undo" label="Undo" onClick={rollback}>
          Undo
        </Button>
      )}
      {open && paths.length > 0 && (
        <ul class="command-paths">
          {changed.map((entry) => (
            <li key={entry.cursor}>
              <span class={`op ${entry.op}`}>{entry.op}</span>
              <button type="button" class="command-path code cut" onClick={() => openFile(relative(entry.path) ?? "")}>
                {relative(entry.path) ?? entry.path}
              </button>
            </li>
          ))}
        </ul>
      )}
    </header>
  );
}

/** One line per path: newest first, so that the last operation counts; create then write counts as create. */
function byPath(entries: readonly LogEntry[]): LogEntry[] {
  const last = new Map<string, LogEntry>();
  for (const entry of entries) {
    const known = last.get(entry.path);
    if (known === undefined) last.set(entry.path, entry);
    else if (entry.op === "create" && known.op === "write") last.set(entry.path, { ...known, op: "create" });
  }
  return [...last.values()];
}
