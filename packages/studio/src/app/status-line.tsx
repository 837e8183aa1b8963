/** The status line: the live feed's state, the user, and the open file. */
import { feedState } from "../state/feed.ts";
import { session } from "../state/session.ts";
import { activeDocument } from "../state/tabs.ts";
import { formatSize } from "../ui/format.ts";
import "./status-line.css";

const FEED = {
  live: "Live",
  connecting: "Connecting…",
  offline: "Not live; trying again",
} as const;

export function StatusLine() {
  const who = session.value.state === "in" ? session.value.who : null;
  const open = activeDocument();
  const ready = open?.state.value === "ready" && open.turn.value > 0;
  return (
    <footer class="status-line">
      <span class={`feed ${feedState.value}`} role="status">
        {FEED[feedState.value]}
      </span>
      <span>{who?.local ? "local mode" : who?.actor}</span>
      <span class="grow" />
      {open && ready && (
        <>
          {open.dirty.value && <span>unsaved</span>}
          <span>{formatSize(open.bytes.length)}</span>
          <span class="code cut" title="The version of this file">
            {open.version}
          </span>
        </>
      )}
    </footer>
  );
}
