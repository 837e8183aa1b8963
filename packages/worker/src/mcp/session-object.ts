/**
 * A session of one MCP client: the files it watches. It is a separate object, so that a subscription made in one isolate reaches
 * the stream held by another: the object notifies the stream over a socket and hibernates under it. It holds no workspace data, and
 * an idle session ends. Its name includes the principal that opened it, so no other principal finds it. One object of the same
 * class, named after the workspace, counts the workspace's sessions.
 */
import { DurableObject } from "cloudflare:workers";
import { MCP_LIMITS } from "./limits.ts";
import { type Admission, admitSession, type SessionKey } from "./session-index.ts";
import { indexOf, type SessionEnv } from "./session-objects.ts";

/** Sent to the stream on every change. */
export interface SessionState {
  /** Increases with every change; the stream acknowledges it by repeating it. */
  turn: number;
  /** Paths; a directory's path covers everything below it. */
  subscriptions: string[];
  /** The log's cursor at a subscription that no stream has seen yet; null: there is none. */
  since: string | null;
}

interface SavedSession {
  /** Absent in state that an older version wrote. */
  key?: SessionKey;
  subscriptions: string[];
  since: string | null;
  seenMs: number;
}

const KEY = "session";
/** `seenMs` is written this rarely: a call should not cost a row. */
const SEEN_EVERY_MS = 10 * 60 * 1000;
export const SESSION_ENDED = 4410;

export class McpSessionObject<Env = unknown> extends DurableObject<Env> {
  #turn = 0;
  readonly #waiting = new Map<number, () => void>();

  async open(key: SessionKey): Promise<void> {
    await this.#keep({ key, subscriptions: [], since: null, seenMs: Date.now() });
    await this.ctx.storage.setAlarm(Date.now() + MCP_LIMITS.sessionIdleMs);
  }

  /** Whether the session exists. */
  async exists(): Promise<boolean> {
    const retained = await this.#saved();
    if (retained !== undefined && Date.now() - retained.seenMs > SEEN_EVERY_MS)
      await Promise.all([
        this.#keep({ ...retained, seenMs: Date.now() }),
        this.#index(retained)?.touch(retained.key?.id ?? ""),
      ]);
    return retained !== undefined;
  }

  /** Whether a stream is open, to be notified of subscriptions. */
  hasListener(): boolean {
    return this.ctx.getWebSockets().length > 0;
  }

  /** Resolves when the stream has acknowledged, so that later changes are reported. `since` is for a stream that opens later. */
  async subscribe(path: string, since: string | null): Promise<"ok" | "gone" | "full"> {
    const kept = await this.#saved();
    if (kept === undefined) return "gone";
    if (kept.subscriptions.includes(path)) return "ok";
    if (kept.subscriptions.length >= MCP_LIMITS.subscriptions) return "full";
    await this.#change({ ...kept, subscriptions: [...kept.subscriptions, path], since: kept.since ?? since });
    return "ok";
  }

  async unsubscribe(path: string): Promise<"ok" | "gone"> {
    const kept = await this.#saved();
    if (kept === undefined) return "gone";
    await this.#change({ ...kept, subscriptions: kept.subscriptions.filter((one) => one !== path) });
    return "ok";
  }

  async end(): Promise<boolean> {
    const kept = await this.#saved();
    for (const socket of this.ctx.getWebSockets()) socket.close(SESSION_ENDED, "the session was ended");
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    await this.#index(kept)?.release(kept?.key?.id ?? "");
    return kept !== undefined;
  }

  /** Counting object only: reserves room for one more session. */
  admit(key: SessionKey): Promise<Admission> {
    return admitSession(this.ctx.storage, key, Date.now());
  }

  /** Counting object only: marks the session as used. */
  async touch(id: string): Promise<void> {
    const open = await this.ctx.storage.get<{ principal: string; seenMs: number }>(id);
    if (open !== undefined) await this.ctx.storage.put(id, { ...open, seenMs: Date.now() });
  }

  /** Counting object only: removes an ended session. */
  async release(id: string): Promise<void> {
    await this.ctx.storage.delete(id);
  }

  /** From the Worker only: the socket of the session's stream. A new one replaces the previous one. */
  override async fetch(): Promise<Response> {
    const kept = await this.#saved();
    if (kept === undefined) return new Response(null, { status: 404 });
    for (const older of this.ctx.getWebSockets()) older.close(1000, "another stream took over");
    const { 0: client, 1: server } = new WebSocketPair();
    this.ctx.acceptWebSocket(server);
    server.send(JSON.stringify(this.#state(kept)));
    // From here on a stream knows of it.
    if (kept.since !== null) await this.#keep({ ...kept, since: null });
    return new Response(null, { status: 101, webSocket: client });
  }

  override webSocketMessage(_socket: WebSocket, message: string | ArrayBuffer): void {
    const turn = Number(message);
    this.#waiting.get(turn)?.();
    this.#waiting.delete(turn);
  }

  override async alarm(): Promise<void> {
    const kept = await this.#saved();
    if (kept === undefined) return;
    const idle = Date.now() - kept.seenMs;
    if (idle >= MCP_LIMITS.sessionIdleMs && !this.hasListener()) await this.end();
    else await this.ctx.storage.setAlarm(Date.now() + MCP_LIMITS.sessionIdleMs);
  }

  async #change(kept: SavedSession): Promise<void> {
    const heard = this.hasListener();
    await this.#keep(heard ? { ...kept, since: null } : kept);
    if (heard) await this.#notify(kept);
  }

  #notify(kept: SavedSession): Promise<void> {
    this.#turn++;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MCP_LIMITS.subscribeWaitMs);
    this.#waiting.set(this.#turn, () => {
      clearTimeout(timer);
      resolve();
    });
    for (const socket of this.ctx.getWebSockets()) socket.send(JSON.stringify(this.#state(kept)));
    return promise;
  }

  #index(kept: SavedSession | undefined): DurableObjectStub<McpSessionObject> | null {
    return kept?.key === undefined ? null : indexOf(this.env as SessionEnv, kept.key.workspace);
  }

  #state({ subscriptions, since }: SavedSession): SessionState {
    return { turn: this.#turn, subscriptions, since };
  }

  #saved(): Promise<SavedSession | undefined> {
    return this.ctx.storage.get<SavedSession>(KEY);
  }

  #keep(kept: SavedSession): Promise<void> {
    return this.ctx.storage.put(KEY, kept);
  }
}
