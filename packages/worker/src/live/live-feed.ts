/**
 * The live feed of one workspace, in its object. Sockets are accepted for hibernation, and each socket's state (cursor, path,
 * expiry) is attached to it. A commit wakes the feed; watchers at the same cursor share one log read and one message. Nothing is
 * lost: unsent changes are after the client's cursor.
 */
import type { Workspace } from "@cloudflare/workspace";
import type { LiveMessage } from "../api/changes.ts";
import { errorBody, errorResponse } from "../errors/error-response.ts";
import { HttpError } from "../errors/http-error.ts";
import { LIMITS } from "../limits.ts";
import { apiChange } from "./api-change.ts";

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
}

const TAG = "live";
const OWNER_TAG = "live-owner";

/** A hostname that no browser request can have: preview requests keep their own hostnames. */
const FEED_HOST = "feed.invalid";

export function isFeedRequest(request: Request): boolean {
  return new URL(request.url).hostname === FEED_HOST;
}

/** The Worker requests a feed from the object by fetch: RPC cannot return a socket. */
export function feedRequest(requested: FeedRequest): Request {
  const url = `https://${FEED_HOST}/?${new URLSearchParams({ asked: JSON.stringify(requested) })}`;
  return new Request(url, { headers: { Upgrade: "websocket" } });
}

export class LiveFeed {
  readonly #ctx: DurableObjectState;
  readonly #workspace: Workspace;
  #pumping: Promise<void> | null = null;
  #dirty = false;
  #unsubscribe: (() => void) | null = null;

  constructor(ctx: DurableObjectState, workspace: Workspace) {
    this.#ctx = ctx;
    this.#workspace = workspace;
    // The runtime answers it without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    if (ctx.getWebSockets(TAG).length === 0) return;
    // After hibernation: commits just before it may not have been sent.
    this.#listen();
    this.#notify();
  }

  async accept(request: Request): Promise<Response> {
    try {
      const requested = JSON.parse(new URL(request.url).searchParams.get("asked") ?? "") as FeedRequest;
      const own = holderTag(requested.holder);
      this.#requireRoom(own);
      // Before any await: commits from here on trigger a notification.
      this.#listen();
      const cursor = requested.since ?? now(this.#workspace);
      // A cursor that is too old is reported by status.
      if (requested.since !== undefined)
        await this.#workspace.fs.changes({ since: cursor, path: requested.path, limit: 1 });
      const { 0: client, 1: server } = new WebSocketPair();
      this.#ctx.acceptWebSocket(server, [TAG, own]);
      const { path, expiresAt } = requested;
      server.serializeAttachment({ cursor, path, ...(expiresAt === undefined ? {} : { expiresAt }) } satisfies Watcher);
      if (requested.since === undefined) server.send(JSON.stringify({ changes: [], cursor } satisfies LiveMessage));
      this.#notify();
      return new Response(null, { status: 101, webSocket: client });
    } catch (error) {
      return errorResponse(error);
    }
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
    this.#unsubscribe ??= this.#workspace.volume.onCommit(() => this.#notify());
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
      if (this.#workspace.volume.db.inTransaction) continue;
      const groups = Map.groupBy(this.#live(), ([, { cursor, path }]) => `${cursor} ${path}`);
      for (const group of groups.values()) await this.#sendBatch(group);
    }
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
        const message: LiveMessage = { changes: page.changes.map(apiChange), cursor: page.cursor };
        const text = page.changes.length === 0 ? null : JSON.stringify(message);
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

/** The end of the log: the cursor after the last change. */
function now({ volume }: Workspace): string {
  volume.ensureOpen();
  return volume.formatVersion(volume.headRev);
}
