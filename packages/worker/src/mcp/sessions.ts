/**
 * The MCP sessions of one workspace: who opened each, and the files that it watches. For any other principal a session does not
 * exist. A token that opens too many, itself or through tokens that derive from it, ends its own least recently used one. A workspace
 * with too many refuses the next, except to its owner, whom narrower tokens must not lock out. An idle session without a stream has
 * ended.
 */
import type { Principal } from "../auth/principal.ts";
import { HttpError } from "../errors/http-error.ts";
import { MCP_LIMITS } from "./limits.ts";
import { RPC_ERRORS, RpcError } from "./protocol.ts";
import {
  createSessionTable,
  deleteSession,
  hasSessionTable,
  type SessionRow,
  saveSession,
  selectSession,
  selectSessions,
} from "./store/session-rows.ts";

/** The principal of the deployment's secret and of local mode. */
const OWNER = "owner";
/** `seenMs` is written this rarely: a call should not cost a row. */
const SEEN_EVERY_MS = 10 * 60 * 1000;
const SESSION_ID = /^[0-9a-f-]{36}$/;

/** The open streams: sockets of the live feed. */
export interface SessionStreams {
  isOpen(session: string): boolean;
  close(session: string): void;
}

export class McpSessions {
  readonly #sql: SqlStorage;
  readonly #streams: SessionStreams;
  #hasTable: boolean | undefined;

  constructor(sql: SqlStorage, streams: SessionStreams) {
    this.#sql = sql;
    this.#streams = streams;
  }

  /** Returns its id. */
  open(principal: Principal): string {
    createSessionTable(this.#sql);
    this.#hasTable = true;
    const holder = holderOf(principal);
    const all = selectSessions(this.#sql).filter((row) => !this.#endIfIdle(row));
    const own = all.filter((row) => row.holder === holder);
    const isFull = all.length >= MCP_LIMITS.sessionsOfWorkspace && holder !== OWNER;
    if (isFull && own.length === 0) throw tooMany();
    const surplus = Math.max(own.length + 1 - MCP_LIMITS.sessionsOfPrincipal, isFull ? 1 : 0);
    for (const { id } of own.slice(0, surplus)) this.#end(id);
    const id = crypto.randomUUID();
    const session = { id, principal: principalOf(principal), holder, seenMs: Date.now() };
    saveSession(this.#sql, { ...session, subscriptions: [], since: null });
    return id;
  }

  /** Null: this principal has no such session. */
  find(principal: Principal, id: string): SessionRow | null {
    this.#hasTable ??= hasSessionTable(this.#sql);
    if (!this.#hasTable || !SESSION_ID.test(id)) return null;
    const row = selectSession(this.#sql, id);
    if (row === null || row.principal !== principalOf(principal) || this.#endIfIdle(row)) return null;
    if (Date.now() - row.seenMs < SEEN_EVERY_MS) return row;
    const seen = { ...row, seenMs: Date.now() };
    saveSession(this.#sql, seen);
    return seen;
  }

  /** `head`: the log's cursor now, for a stream that opens later. */
  subscribe(session: SessionRow, path: string, head: string): void {
    const { subscriptions, since } = session;
    if (subscriptions.includes(path)) return;
    if (subscriptions.length >= MCP_LIMITS.subscriptions)
      throw new RpcError(RPC_ERRORS.invalidParams, `a session has at most ${MCP_LIMITS.subscriptions} subscriptions`);
    const from = this.#streams.isOpen(session.id) ? null : (since ?? head);
    saveSession(this.#sql, { ...session, subscriptions: [...subscriptions, path], since: from });
  }

  unsubscribe(session: SessionRow, path: string): void {
    saveSession(this.#sql, { ...session, subscriptions: session.subscriptions.filter((one) => one !== path) });
  }

  /** A stream knows of all subscriptions now. */
  streamOpened(session: SessionRow): void {
    if (session.since !== null) saveSession(this.#sql, { ...session, since: null });
  }

  subscriptions(id: string): string[] {
    return selectSession(this.#sql, id)?.subscriptions ?? [];
  }

  /** False: there is none. */
  end(principal: Principal, id: string): boolean {
    if (this.find(principal, id) === null) return false;
    this.#end(id);
    return true;
  }

  #endIfIdle({ id, seenMs }: SessionRow): boolean {
    if (Date.now() - seenMs < MCP_LIMITS.sessionIdleMs || this.#streams.isOpen(id)) return false;
    this.#end(id);
    return true;
  }

  #end(id: string): void {
    deleteSession(this.#sql, id);
    this.#streams.close(id);
  }
}

function principalOf({ tokenId }: Principal): string {
  return tokenId === "" ? OWNER : `token:${tokenId}`;
}

function holderOf({ tokenId, rateLimitKey }: Principal): string {
  return tokenId === "" || rateLimitKey === null ? OWNER : `token:${rateLimitKey}`;
}

function tooMany(): HttpError {
  return new HttpError("TOO_MANY_REQUESTS", "this workspace has too many MCP sessions", {
    hint: "End a session with DELETE, or wait: an idle one ends by itself.",
    headers: { "Retry-After": "60" },
  });
}
