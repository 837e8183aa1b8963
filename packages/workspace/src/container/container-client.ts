/**
 * The connection to the container: connects on first use, stays connected while in use, and closes after an idle timeout, because
 * an open connection keeps the object from hibernating. The secret is created once and stored in the workspace's database.
 */
import { SYNC_LIMITS } from "@workspace/protocol";
import type { SyncState } from "../sync/sync-state.ts";
import { type DaemonConnection, openConnection } from "./daemon-connection.ts";

export interface Sandbox {
  /** All requests go to the daemon's one port; see container/. */
  fetch(request: Request): Promise<Response>;
}

export interface LinkOptions {
  sandbox: Sandbox;
  state: SyncState;
  /**
   * The secret of a daemon that has one from its start. Default: the workspace's own, which a container takes from the first hello.
   */
  secret?: string;
  /** Default 10 seconds. */
  idleMs?: number;
}

export class ContainerClient {
  readonly #options: LinkOptions;
  #opening: Promise<DaemonConnection> | null = null;
  #open: DaemonConnection | null = null;
  #users = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** The current connection, without opening one. */
  get present(): DaemonConnection | null {
    return this.#open?.isOpen ? this.#open : null;
  }

  connect(): Promise<DaemonConnection> {
    if (this.#open?.isOpen) return Promise.resolve(this.#open);
    this.#opening ??= this.#connect().finally(() => (this.#opening = null));
    return this.#opening;
  }

  /** Keeps the connection open until the result is disposed. */
  lease(): Disposable {
    this.#users++;
    clearTimeout(this.#idle);
    let held = true;
    return {
      [Symbol.dispose]: () => {
        if (!held) return;
        held = false;
        this.#users--;
        if (this.#users === 0) this.#closeLater();
      },
    };
  }

  close(): void {
    clearTimeout(this.#idle);
    this.#open?.close();
    this.#open = null;
  }

  /** A request to a port in the container, answered as it comes. */
  async proxyPort(request: Request, port: number): Promise<Response> {
    using _held = this.lease();
    // The daemon has the secret only after a hello.
    await this.connect();
    const url = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.delete("x-workspace-port");
    headers.delete("x-workspace-origin");
    // The daemon rejects an `Origin`; the previewed server still gets it.
    const origin = headers.get("origin");
    if (origin !== null) headers.set("x-workspace-origin", origin);
    headers.delete("origin");
    headers.set("x-workspace-secret", this.#secret);
    const target = `http://sandbox/ports/${port}${url.pathname}${url.search}`;
    return this.#options.sandbox.fetch(
      new Request(target, { method: request.method, headers, body: request.body, redirect: "manual" }),
    );
  }

  get #secret(): string {
    return this.#options.secret ?? this.#options.state.secret;
  }

  async #connect(): Promise<DaemonConnection> {
    const connection = await openConnection(this.#options.sandbox, this.#secret);
    this.#open = connection;
    if (this.#users === 0) this.#closeLater();
    return connection;
  }

  #closeLater(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      if (this.#users === 0) this.close();
    }, this.#options.idleMs ?? DEFAULT_IDLE_MS);
  }
}

const DEFAULT_IDLE_MS = 10_000;

/** Too long to guess; the object sends it only to its daemon. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.min(32, SYNC_LIMITS.secretLength)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
