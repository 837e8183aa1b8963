/** One item of the timeline. Expanded, it shows its paths and its diff. */
import { useState } from "preact/hooks";
import { relative } from "../api/path.ts";
import { mayWrite } from "../state/session.ts";
import { Button } from "../ui/button.tsx";
import { formatClock, formatCount, formatDuration, plural } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { ItemDiff } from "./item-diff.tsx";
import type { TimelineItem } from "./timeline.ts";
import { UndoDialog } from "./undo-dialog.tsx";
import { undoItem } from "./undo-item.ts";

interface TimelineRowProps {
  workspace: string;
  item: TimelineItem;
  day: string | undefined;
  open: boolean;
  onToggle: () => void;
  onActor: (actor: string) => void;
  onDone: () => void;
}

const ICONS: Record<TimelineItem["kind"], IconName> = {
  command: "terminal",
  tool: "tool",
  git: "git",
  change: "pencil",
};

export function TimelineRow({ workspace, item, day, open, onToggle, onActor, onDone }: TimelineRowProps) {
  const [conflict, setConflict] = useState<{ message: string; paths: string[] } | null>(null);
  const [busy, setBusy] = useState(false);
  const rollback = async (how: { merge?: boolean; force?: boolean } = {}) => {
    setBusy(true);
    setConflict(await undoItem(workspace, item, how));
    setBusy(false);
    onDone();
  };
  const failed =
    item.command === undefined
      ? item.call !== undefined && item.call.outcome !== "success"
      : item.command.state !== "running" && item.command.exitCode !== 0;
  return (
    <li class="moment">
      {day !== undefined && <h3 class="moment-day">{day}</h3>}
      <div class={`moment-row ${open ? "open" : ""}`}>
        <span class={`moment-icon by-${item.kind} ${failed ? "failed" : ""}`}>
          <Icon name={ICONS[item.kind]} size={14} />
        </span>
        <button type="button" class="moment-what" aria-expanded={open} onClick={onToggle}>
          <span class={`cut ${item.kind === "command" || item.kind === "tool" ? "code" : ""}`}>{item.title}</span>
          <span class="moment-facts faint" data-actor={item.actor}>
            {facts(item).join(" · ")}
          </span>
        </button>
        {item.actor !== undefined && (
          <button
            type="button"
            class="moment-actor"
            title="Show only this actor"
            onClick={() => onActor(item.actor as string)}
          >
            {item.actor}
          </button>
        )}
        {mayWrite() && item.change?.paths.some((path) => relative(path) !== "") && (
          <Button kind="quiet" icon="undo" label={`Undo: ${item.title}`} busy={busy} onClick={() => rollback()} />
        )}
      </div>
      {open && <ItemDiff workspace={workspace} item={item} />}
      {conflict !== null && <UndoDialog conflict={conflict} onClose={() => setConflict(null)} onChoose={rollback} />}
    </li>
  );
}

function facts({ time, ms, change, command, call, cost }: TimelineItem): string[] {
  const words = [formatClock(time)];
  if (call !== undefined && call.outcome !== "success") words.push(`${call.outcome}: ${call.code}`);
  if (command !== undefined) words.push(command.state === "exited" ? `exit ${command.exitCode}` : command.state);
  if (ms !== undefined) words.push(formatDuration(ms));
  if (change !== undefined) words.push(plural(change.entries, "change"));
  if (command !== undefined) words.push(`on ${command.ranOn}`);
  if (cost !== undefined) words.push(`${plural(cost.rowsRead, "row")} read, ${formatCount(cost.rowsWritten)} written`);
  return words;
}
