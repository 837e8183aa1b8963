/**
 * The session's notification stream, held by the Worker. It listens to the session's object (subscriptions) and to the workspace's
 * live feed (changes), both over sockets under which the objects hibernate, so an idle client costs almost nothing. The id of an
 * event is the log's cursor: a disconnected client resumes after it without a gap.
 */

import type { LiveMessage } from "../api/changes.ts";
import type { Principal } from "../auth/principal.ts";
import type { Env } from "../env.ts";
import { atExpiry } from "../http/expiry.ts";
import { ROOT } from "../http/workspace-path.ts";
import { feedRequest } from "../live/live-feed.ts";
import { isVisibleToModel } from "../model-policy.ts";
import { workspaceStub } from "../workspace-stub.ts";
import { EventStream } from "./event-stream.ts";
import { resourceUri } from "./resource-uri.ts";
import type { SessionState } from "./session-object.ts";
import { sessionKey, sessionStub } from "./session-objects.ts";
import { touchedPaths } from "./touched-paths.ts";

export interface StreamRequest {
  readonly env: Env;
  readonly principal: Principal;
  readonly name: string;
  readonly session: string;
  /** Last-Event-ID. */
  readonly lastEventId: string | null;
}

/** Null: no such session. */
export async function sessionStream({
  env,
  principal,
  name,
  session,
  lastEventId,
}: StreamRequest): Promise<Response | null> {
  const answer = await sessionStub(env, sessionKey(name, principal, session)).fetch("https://session/stream", {
    headers: { Upgrade: "websocket" },
  });
  if (!answer.webSocket) return null;
  const notifier = new Notifier(env, name, principal.rateLimitKey, principal.scope.expiresAt);
  await notifier.start(answer.webSocket, lastEventId);
  return notifier.stream.response();
}

class Notifier {
  readonly stream = new EventStream(() => this.#close());
  #cancelExpiry = () => {};
  #subscriptions: readonly string[] = [];
  #cursor: string | undefined;
  #session: WebSocket | null = null;
  #feed: WebSocket | null = null;

  readonly #isVisible: (path: string) => boolean;

  constructor(
    readonly env: Env,
    readonly name: string,
    readonly holder: string | null,
    readonly expiresAt: number | undefined,
  ) {
    this.#isVisible = isVisibleToModel(env);
  }

  /** Resolves when the feed is connected, so that every change after the response's first byte is reported. */
  async start(session: WebSocket, lastEventId: string | null): Promise<void> {
    this.#session = session;
    const first = Promise.withResolvers<SessionState>();
    session.addEventListener("message", ({ data }) => {
      const state = JSON.parse(String(data)) as SessionState;
      this.#subscriptions = state.subscriptions;
      first.resolve(state);
      session.send(String(state.turn));
    });
    session.addEventListener("close", () => this.stream.end());
    session.accept();
    const { since } = await first.promise;
    this.#cursor = lastEventId ?? since ?? undefined;
    await this.#openFeed();
    this.#cancelExpiry = atExpiry(this.expiresAt, () => this.stream.end());
  }

  async #openFeed(): Promise<void> {
    const since = this.#cursor;
    const answer = await workspaceStub(this.env, this.name).fetch(
      feedRequest({ since, path: ROOT, holder: this.holder, expiresAt: this.expiresAt }),
    );
    if (!answer.webSocket) {
      // The cursor is too old or unknown: everything may have changed.
      if (since === undefined) return this.stream.end();
      this.#cursor = undefined;
      for (const path of this.#subscriptions) this.#updated(path);
      return this.#openFeed();
    }
    const feed = answer.webSocket;
    this.#feed = feed;
    const standing = Promise.withResolvers<void>();
    feed.addEventListener("message", ({ data }) => {
      this.#take(JSON.parse(String(data)) as LiveMessage);
      standing.resolve();
    });
    feed.addEventListener("close", () => {
      standing.resolve();
      this.stream.end();
    });
    feed.accept();
    // With `since` it sends nothing until a change, and is already connected.
    if (since === undefined) await standing.promise;
  }

  #take(message: LiveMessage): void {
    // The feed ends after an error; the client reconnects with its last id.
    if ("error" in message) return;
    this.#cursor = message.cursor;
    for (const path of touchedPaths(message.changes, this.#subscriptions)) this.#updated(path, message.cursor);
  }

  #updated(path: string, id?: string): void {
    if (!this.#isVisible(path)) return;
    this.stream.send(
      { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: resourceUri(this.name, path) } },
      id,
    );
  }

  #close(): void {
    this.#cancelExpiry();
    for (const socket of [this.#session, this.#feed]) {
      try {
        socket?.close(1000);
      } catch {
        // Already closed.
      }
    }
  }
}
