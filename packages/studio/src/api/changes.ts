/**
 * The live feed of changes. A broken socket is reopened with the last cursor, so that nothing is missed. If the server no longer
 * knows the cursor, the follower must read everything again.
 */
import type { ApiChange, LiveMessage } from "@workspace/worker/api";
import { workspaceUrl } from "./path.ts";

export type FeedState = "connecting" | "live" | "offline";

export interface Follower {
  onChanges: (changes: readonly ApiChange[], cursor: string) => void;
  onState: (state: FeedState) => void;
  /** Earlier state may be outdated: read it again. */
  onLost: () => void;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;

export function followChanges(workspace: string, { onChanges, onState, onLost }: Follower): () => void {
  let cursor: string | undefined;
  let wait = FIRST_WAIT_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let socket: WebSocket | undefined;
  let ended = false;

  const open = () => {
    const url = new URL(workspaceUrl(workspace, "changes/live"), location.href);
    url.protocol = url.protocol.replace("http", "ws");
    if (cursor !== undefined) url.searchParams.set("since", cursor);
    socket = new WebSocket(url);
    socket.onopen = () => {
      wait = FIRST_WAIT_MS;
      onState("live");
    };
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data as string) as LiveMessage;
      if ("error" in message) {
        if (message.error.code === "EGONE") {
          cursor = undefined;
          onLost();
        }
        return;
      }
      cursor = message.cursor;
      if (message.changes.length > 0) onChanges(message.changes, message.cursor);
    };
    socket.onclose = () => {
      if (ended) return;
      onState("offline");
      timer = setTimeout(open, wait);
      wait = Math.min(wait * 2, MAX_WAIT_MS);
    };
  };
  const retryNow = () => {
    if (socket?.readyState !== WebSocket.CLOSED) return;
    clearTimeout(timer);
    open();
  };
  onState("connecting");
  open();
  addEventListener("online", retryNow);
  return () => {
    ended = true;
    clearTimeout(timer);
    removeEventListener("online", retryNow);
    socket?.close();
  };
}
