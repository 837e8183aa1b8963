/** The activity log, newest first: actor, action, duration, cost, diff, and one-click undo. */
import { useEffect, useState } from "preact/hooks";
import { feedRevision } from "../state/feed.ts";
import { go, route } from "../state/route.ts";
import { Button } from "../ui/button.tsx";
import { Failure, Loading, Message } from "../ui/message.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { readActivity } from "./read-activity.ts";
import type { TimelineItem } from "./timeline.ts";
import { TimelineRow } from "./timeline-row.tsx";
import "./activity.css";

const PAGE = 200;

export function ActivityView() {
  const { workspace, path } = route.value;
  const name = workspace as string;
  const [actor, setActor] = useState<string | undefined>();
  const [count, setCount] = useState(PAGE);
  const [open, setOpen] = useState<string | null>(null);
  const query = { path: path || undefined, actor, limit: Math.min(count, 1000) };
  const { value, error, reload } = useLoaded((signal) => readActivity(name, query, signal), [name, path, actor, count]);
  const turn = feedRevision.value;
  useEffect(() => {
    const timer = setTimeout(reload, 200);
    return () => clearTimeout(timer);
  }, [turn, reload]);
  return (
    <div class="activity">
      <header class="activity-head">
        <h2>Activity</h2>
        {path !== "" && <Filter label={path} onDrop={() => go({ view: "activity" })} />}
        {actor !== undefined && <Filter label={`by ${actor}`} onDrop={() => setActor(undefined)} />}
        <span class="grow" />
        <Button kind="quiet" icon="refresh" label="Refresh" onClick={reload} />
      </header>
      {value === undefined && error === undefined && <Loading what="the activity" />}
      {value === undefined && error !== undefined && <Failure what="Activity" error={error} retry={reload} />}
      {value?.items.length === 0 && (
        <Message icon="activity" title="No activity yet">
          Every write, tool call and command appears here with its changes. You can undo each of them.
        </Message>
      )}
      <ol class="activity-list" aria-label="Timeline">
        {value?.items.map((item, i) => (
          <TimelineRow
            key={item.id + item.time}
            workspace={name}
            item={item}
            day={dayHeading(value.items, i)}
            open={open === item.id + item.time}
            onToggle={() => setOpen(open === item.id + item.time ? null : item.id + item.time)}
            onActor={setActor}
            onDone={reload}
          />
        ))}
        {value?.more && (
          <li class="activity-more">
            {count < 1000 ? (
              <Button label="Show more" onClick={() => setCount(count + PAGE)} />
            ) : (
              <span class="faint">Older activity: narrow it by a path (its menu in Files) or an actor.</span>
            )}
          </li>
        )}
      </ol>
    </div>
  );
}

function Filter({ label, onDrop }: { label: string; onDrop: () => void }) {
  return (
    <span class="activity-filter">
      <span class="cut">{label}</span>
      <Button kind="quiet" icon="close" label={`Show more than ${label}`} onClick={onDrop} />
    </span>
  );
}

function dayHeading(items: readonly TimelineItem[], at: number): string | undefined {
  const day = (item: TimelineItem | undefined) =>
    item && new Date(item.time).toLocaleDateString(undefined, { weekday: "long", day: "numeric", month: "long" });
  const own = day(items[at]);
  return own === day(items[at - 1]) ? undefined : own;
}
