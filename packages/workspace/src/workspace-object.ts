/**
 * The ready-made Durable Object: a workspace, the door for `getWorkspace`, and the upkeep that needs an alarm. List it under
 * `new_sqlite_classes` and bind it. A subclass sets `static options`; one that writes through `this.workspace` itself calls
 * `this.keepUp()` afterwards, and one with an alarm of its own calls `super.alarm()` in it.
 */
import { DurableObject } from "cloudflare:workers";
import type { WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
import { portNamed } from "./container/proxy-port.ts";
import { serveWorkspace } from "./server/serve-workspace.ts";
import { Workspace, type WorkspaceOptions } from "./workspace.ts";

/** Upkeep waits until a burst of writes is over, and goes on soon while there is more of it. */
const FIRST_DELAY_MS = 60_000;
const NEXT_DELAY_MS = 1_000;
const STEPS_PER_ALARM = 20;

export class WorkspaceObject<Env = Cloudflare.Env> extends DurableObject<Env> {
  /** An `actor` here is who is behind the binding: what callers say of themselves is appended to it. */
  static readonly options: Omit<WorkspaceOptions, "storage"> = {};

  /** An own property, and so out of a caller's reach: only methods of the class cross RPC. */
  readonly workspace: Workspace = this.createWorkspace({
    ...sandboxOf(this.env, this.ctx.id),
    ...(this.constructor as typeof WorkspaceObject).options,
    storage: this.ctx.storage,
  });
  /** Known to be set in this incarnation: spares a look at the database with every call. */
  #armed = false;

  async workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply> {
    const { volume } = this.workspace;
    const before = volume.headRev;
    const reply = await serveWorkspace(this.workspace, call);
    if (volume.headRev !== before) await this.keepUp();
    return reply;
  }

  /** For `proxyPort`: a request to an exposed port of the container, HTTP or WebSocket. Only a binding leads here. */
  override async fetch(request: Request): Promise<Response> {
    const port = portNamed(request);
    if (port === null || this.workspace.container === null) return new Response("no such thing\n", { status: 404 });
    return this.workspace.container.proxyPort(request, port);
  }

  /** Which parts the workspace has is decided by what was imported. */
  protected createWorkspace(options: WorkspaceOptions): Workspace {
    return new Workspace(options);
  }

  /** Makes sure that upkeep will happen. Cheap when it is arranged already. */
  protected async keepUp(): Promise<void> {
    if (this.#armed) return;
    this.#armed = true;
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + FIRST_DELAY_MS);
  }

  /** A few small steps; requests come in between. */
  override async alarm(): Promise<void> {
    this.#armed = false;
    const { more, nextDueMs } = await this.workspace.maintain({ budget: STEPS_PER_ALARM });
    if (!more && nextDueMs === null) return;
    this.#armed = true;
    const soon = Date.now() + NEXT_DELAY_MS;
    await this.ctx.storage.setAlarm(more ? soon : Math.max(nextDueMs ?? 0, soon));
  }
}

/** A binding named SANDBOX, to the class `Sandbox` of `@cloudflare/workspace/sandbox`: one container for each workspace. */
function sandboxOf(env: unknown, id: DurableObjectId): { sandbox?: WorkspaceOptions["sandbox"] } {
  const { SANDBOX: namespace } = (env ?? {}) as { SANDBOX?: DurableObjectNamespace };
  return namespace === undefined ? {} : { sandbox: namespace.get(namespace.idFromName(id.toString())) };
}
