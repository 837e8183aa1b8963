/**
 * The ready-made Durable Object: a workspace, the RPC server for `getWorkspace`, and the maintenance that needs an alarm. List it
 * under `new_sqlite_classes` and bind it. A subclass sets `static options`. An object has one alarm: a subclass that uses it too
 * calls `super.alarm()` in its own, which may run earlier than the subclass requested, and sets its alarm again afterwards.
 *
 * The commit itself sets the alarm, whatever made it: an RPC verb, a handle that a client holds, a stream, a command, a sync.
 */

import { DurableObject } from "cloudflare:workers";
import type { WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
import { internals } from "@workspace/protocol";
import { portNamed } from "./container/proxy-port.ts";
import { serveWorkspace } from "./server/serve-workspace.ts";
import { Workspace, type WorkspaceOptions } from "./workspace.ts";

/** Maintenance waits until a burst of writes is over, and continues soon while there is more to do. */
const FIRST_DELAY_MS = 60_000;
const NEXT_DELAY_MS = 1_000;
const STEPS_PER_ALARM = 20;
/** With a longer retention an alarm finds nothing to do and is set again. */
const MAX_DELAY_MS = 365 * 24 * 60 * 60 * 1000;

export class WorkspaceObject<Env = Cloudflare.Env> extends DurableObject<Env> {
  /** An `actor` here is the one behind the binding: the name that a caller reports is appended to it. */
  static readonly options: Omit<WorkspaceOptions, "storage" | "id"> = {};

  /** An own property, and so not accessible to callers: only methods of the class cross RPC. */
  readonly workspace: Workspace = this.createWorkspace({
    ...sandboxOf(this.env, this.ctx.id),
    ...(this.constructor as typeof WorkspaceObject).options,
    storage: this.ctx.storage,
    id: this.ctx.id,
  });
  /** The time of the alarm, infinite when it is not set; undefined when this incarnation has not read it yet. */
  #alarmMs: number | undefined;
  /** The last `scheduleMaintenance`, and whether it has yet to begin: then it covers changes made until it does. */
  #maintenance: Promise<void> = Promise.resolve();
  #waits = false;
  /** Resolves when `scheduleMaintenance` has run for every change made so far. */
  protected readonly keptUp: () => Promise<void> = () => this.#maintenance;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.workspace[internals].volume.onCommit((what) => {
      if (what === "changed") this.#changed();
      // `deleteAll` may have removed the alarm, too.
      else this.#alarmMs = undefined;
    });
  }

  async workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply> {
    const reply = await serveWorkspace(this.workspace, call);
    await this.keptUp();
    return reply;
  }

  /** For `proxyPort`: a request to an exposed port of the container, HTTP or WebSocket. Reachable only through a binding. */
  override async fetch(request: Request): Promise<Response> {
    const port = portNamed(request);
    if (port === null || this.workspace.container === null) return new Response("no such thing\n", { status: 404 });
    return this.workspace.container.proxyPort(request, port);
  }

  /** The imports decide which features the workspace has. */
  protected createWorkspace(options: WorkspaceOptions): Workspace {
    return new Workspace(options);
  }

  /** Runs after every change, once for many concurrent ones. Cheap when maintenance is already scheduled. */
  protected async scheduleMaintenance(): Promise<void> {
    const dueMs = this.workspace.nextDueMs();
    if (dueMs !== null) await this.#arm(dueMs, FIRST_DELAY_MS);
  }

  /** A few small steps; requests run in between. */
  override async alarm(): Promise<void> {
    this.#alarmMs = undefined;
    const { nextDueMs } = await this.workspace.maintain({ budget: STEPS_PER_ALARM });
    if (nextDueMs !== null) await this.#arm(nextDueMs, NEXT_DELAY_MS);
  }

  #changed(): void {
    if (this.#waits) return;
    this.#waits = true;
    this.#maintenance = this.#maintenance
      .then(() => {
        this.#waits = false;
        return this.scheduleMaintenance();
      })
      // The change is committed; the next one retries.
      .catch((error) => console.error(error));
    this.ctx.waitUntil(this.#maintenance);
  }

  /** Sets the alarm, unless it is set for an earlier time. */
  async #arm(dueMs: number, minDelayMs: number): Promise<void> {
    const now = Date.now();
    const atMs = Math.min(Math.max(dueMs, now + minDelayMs), now + MAX_DELAY_MS);
    if (this.#alarmMs === undefined) {
      const set = await this.ctx.storage.getAlarm();
      this.#alarmMs ??= set ?? Number.POSITIVE_INFINITY;
    }
    if (this.#alarmMs <= atMs) return;
    this.#alarmMs = atMs;
    try {
      await this.ctx.storage.setAlarm(atMs);
    } catch (error) {
      this.#alarmMs = undefined;
      throw error;
    }
  }
}

/** A binding named SANDBOX, to the class `Sandbox` of `@cloudflare/workspace/sandbox`: one container for each workspace. */
function sandboxOf(env: unknown, id: DurableObjectId): { sandbox?: WorkspaceOptions["sandbox"] } {
  const { SANDBOX: namespace } = (env ?? {}) as { SANDBOX?: DurableObjectNamespace };
  return namespace === undefined ? {} : { sandbox: namespace.get(namespace.idFromName(id.toString())) };
}
