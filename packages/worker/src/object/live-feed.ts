/**
 * The live feed of one workspace, in its object. Sockets are accepted for hibernation, and each socket's state (cursor, path,
 * expiry) is attached to it. A commit wakes the feed; watchers at the same cursor share one log read and one message. Nothing is
 * lost: unsent changes are after the client's cursor.
 */

import { FsError, type Workspace } from "@cloudflare/workspace";
import { internals } from "@workspace/protocol";
import type { ApiChange, LiveMessage } from "../api/changes.ts";
import { errorBody } from "../errors/error-response.ts";
import { HttpError } from "../errors/http-error.ts";
import { ROOT } from "../http/workspace-path.ts";
import { LIMITS } from "../limits.ts";
import { touchedPaths } from "../mcp/touched-paths.ts";
import { apiChange } from "../routes/api-change.ts";

export interface FeedRequest {
  since?: string;
  path: string;
  /** Whose sockets count together: the principal's rate-limit key; null: not limited. */
  holder: string | null;
  /** Expiry of the token; the socket is closed after it. */
  expiresAt?: number;
}

/** Attached to a socket. */
interface Watcher {
  cursor: string;
  path: string;
  expiresAt?: number;
  /** Of an MCP session: its stream gets `SessionUpdate`s. */
  session?: string;
}

/** A message of an MCP session's stream: subscribed paths that changed. */
export type SessionUpdate = { updated: string[]; cursor: string } | { error: unknown };

const SESSION_ENDED = 4410;
const TAG = "live";
const OWNER_TAG = "live-owner";

/** What the feed asks about MCP sessions. */
export interface SessionRules {
  subscriptions(session: string): readonly string[];
  /** Whether a model may see a path. */
  isVisible(path: string): boolean;
}

export class LiveFeed {
  readonly #ctx: DurableObjectState;
  readonly #workspace: Workspace;
  readonly #subscriptions: SessionRules["subscriptions"];
  readonly #isVisible: SessionRules["isVisible"];
  #pumping: Promise<void> | null = null;
  #dirty = false;
  #unsubscribe: (() => void) | null = null;

  constructor(ctx: DurableObjectState, workspace: Workspace, sessions: SessionRules) {
    this.#ctx = ctx;
    this.#workspace = workspace;
    this.#subscriptions = sessions.subscriptions;
    this.#isVisible = sessions.isVisible;
    // The runtime answers it without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    if (ctx.getWebSockets(TAG).length === 0) return;
    // After hibernation: commits just before it may not have been sent.
    this.#listen();
    this.#notify();
  }

  accept(requested: FeedRequest): Promise<Response> {
    return this.#accept(requested, null);
  }

  /**
   * The stream of an MCP session; an older one ends. A cursor that is too old or unknown means that everything may have changed: all
   * subscriptions are reported, and the stream continues from now.
   */
  async acceptSession(
    { id, subscriptions }: { id: string; subscriptions: readonly string[] },
    requested: Omit<FeedRequest, "path">,
  ): Promise<Response> {
    const feed = { ...requested, path: ROOT };
    try {
      return await this.#accept(feed, id);
    } catch (error) {
      if (!(error instanceof FsError)) throw error;
      const response = await this.#accept({ ...feed, since: undefined }, id);
      const update: SessionUpdate = { updated: subscriptions.filter(this.#isVisible), cursor: this.head() };
      if (update.updated.length > 0) this.#stream(id)?.send(JSON.stringify(update));
      return response;
    }
  }

  async #accept({ since, path, holder, expiresAt }: FeedRequest, session: string | null): Promise<Response> {
    const own = holderTag(holder);
    this.#requireRoom(own);
    // Before any await: commits from here on trigger a notification.
    this.#listen();
    const cursor = since ?? this.head();
    // A cursor that is too old is reported by status.
    if (since !== undefined) await this.#workspace.fs.changes({ since: cursor, path, limit: 1 });
    if (session !== null) this.closeStream(session, 1000, "another stream took over");
    const { 0: client, 1: server } = new WebSocketPair();
    this.#ctx.acceptWebSocket(server, session === null ? [TAG, own] : [TAG, own, sessionTag(session)]);
    const watcher: Watcher = { cursor, path, ...(expiresAt && { expiresAt }), ...(session !== null && { session }) };
    server.serializeAttachment(watcher);
    if (since === undefined && session === null)
      server.send(JSON.stringify({ changes: [], cursor } satisfies LiveMessage));
    this.#notify();
    return new Response(null, { status: 101, webSocket: client });
  }

  /** The cursor after the last change. */
  head(): string {
    const { volume } = this.#workspace[internals];
    volume.ensureOpen();
    return volume.revisions.format(volume.revisions.head);
  }

  hasStream(session: string): boolean {
    return this.#stream(session) !== undefined;
  }

  closeStream(session: string, code: number = SESSION_ENDED, reason = "the session was ended"): void {
    for (const socket of this.#ctx.getWebSockets(sessionTag(session))) socket.close(code, reason);
  }

  #stream(session: string): WebSocket | undefined {
    return this.#ctx.getWebSockets(sessionTag(session)).findLast(({ readyState }) => readyState === WebSocket.OPEN);
  }

  /** One token must not take the room of others. */
  #requireRoom(own: string): void {
    if (own === OWNER_TAG) return;
    const [all, ofHolder] = [this.#ctx.getWebSockets(TAG).length, this.#ctx.getWebSockets(own).length];
    if (all >= LIMITS.liveSockets)
      throw new HttpError("TOO_MANY_REQUESTS", `a workspace has at most ${LIMITS.liveSockets} watchers`);
    if (ofHolder >= LIMITS.liveSocketsOfToken)
      throw new HttpError("TOO_MANY_REQUESTS", `a token has at most ${LIMITS.liveSocketsOfToken} watchers`);
  }

  /** The feed ignores incoming messages; the runtime answers "ping". */
  message(socket: WebSocket): void {
    socket.close(1008, "this feed takes no messages");
  }

  closed(): void {
    if (this.#ctx.getWebSockets(TAG).length > 0) return;
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  #listen(): void {
    this.#unsubscribe ??= this.#workspace[internals].volume.onCommit(() => this.#notify());
  }

  /** Commits during a send trigger one more send. */
  #notify(): void {
    this.#dirty = true;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = null;
      if (this.#dirty) this.#notify();
    });
  }

  async #pump(): Promise<void> {
    while (this.#dirty) {
      this.#dirty = false;
      // An uncommitted change may still be rolled back.
      if (this.#workspace[internals].volume.store.db.inTransaction) continue;
      const groups = Map.groupBy(this.#live(), ([, { cursor, path, session = "" }]) => `${cursor} ${session} ${path}`);
      for (const group of groups.values()) await this.#sendBatch(group);
    }
  }

  /** Null: nothing of it concerns this watcher. */
  #textFor({ session }: Watcher, message: LiveMessage & { cursor: string; changes: ApiChange[] }): string | null {
    if (session === undefined) return JSON.stringify(message);
    const touched = touchedPaths(message.changes, this.#subscriptions(session));
    const update: SessionUpdate = { updated: [...touched].filter(this.#isVisible), cursor: message.cursor };
    return update.updated.length === 0 ? null : JSON.stringify(update);
  }

  #live(): [WebSocket, Watcher][] {
    const watchers: [WebSocket, Watcher][] = [];
    for (const socket of this.#ctx.getWebSockets(TAG)) {
      const watcher = socket.deserializeAttachment() as Watcher | null;
      if (watcher === null) continue;
      if (watcher.expiresAt !== undefined && watcher.expiresAt <= Date.now())
        socket.close(4401, "the token's time is over");
      else watchers.push([socket, watcher]);
    }
    return watchers;
  }

  /** Sends everything after the cursor that a group shares. */
  async #sendBatch(group: [WebSocket, Watcher][]): Promise<void> {
    const watcher = group[0]?.[1];
    if (watcher === undefined) return;
    try {
      for (let more = true; more; ) {
        const { cursor: since, path } = watcher;
        const page = await this.#workspace.fs.changes({ since, path });
        more = page.more;
        watcher.cursor = page.cursor;
        const message = { changes: page.changes.map(apiChange), cursor: page.cursor };
        const text = page.changes.length === 0 ? null : this.#textFor(watcher, message);
        for (const [socket, own] of group) send(socket, text, { ...own, cursor: page.cursor });
      }
    } catch (error) {
      const text = JSON.stringify(errorBody(error));
      for (const [socket] of group) {
        send(socket, text, null);
        socket.close(1011, "the feed cannot go on");
      }
    }
  }
}

function send(socket: WebSocket, text: string | null, watcher: Watcher | null): void {
  try {
    if (text !== null) socket.send(text);
    if (watcher !== null) socket.serializeAttachment(watcher);
  } catch {
    // Already closed.
  }
}

function holderTag(holder: string | null): string {
  return holder === null || holder === "secret" ? OWNER_TAG : `live-${holder}`;
}

function sessionTag(session: string): string {
  return `mcp-${session}`;
}
