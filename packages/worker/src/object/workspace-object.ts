/**
 * The workspace's Durable Object in this deployment: `WorkspaceObject` plus what must run beside the data: a router for HTTP and
 * MCP, the tools, the live feed, streamed git, the usage meter, registration and deletion. The rest of the API works over RPC. Its
 * public members are `workspaceRpc`, `fetch`, `alarm` and the WebSocket handlers.
 */

import type { ToolResult } from "@cloudflare/fs-tools";
import { WorkspaceObject, type WorkspaceOptions } from "@cloudflare/workspace";
import type { WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
import { internals } from "@workspace/protocol";
import { DELETED_MESSAGE } from "../deployment-verbs.ts";
import type { Env as WorkerEnv } from "../env.ts";
import { LIMITS } from "../limits.ts";
import { McpSessions } from "../mcp/sessions.ts";
import { deniedGlobs, isVisibleToModel } from "../model-policy.ts";
import { registryStub, type WithRegistry } from "../registry/registry-stub.ts";
import { readForwardedContext } from "../routes/forwarded-context.ts";
import { LiveFeed } from "./live-feed.ts";
import type { ObjectServices } from "./object-services.ts";
import { PendingStdin } from "./pending-stdin.ts";
import { handleRequest } from "./router.ts";
import { type ToolPrincipal, ToolsetCache } from "./toolset-cache.ts";
import { type MeasuredUsage, UsageMeter } from "./usage-meter.ts";

const SPENT_LINKS = "spent-preview-links";

/** Revisions of an unchanged workspace: `/`, and the root. */
const INITIAL_REVISION = 2;

export class HttpWorkspaceObject<Env = Cloudflare.Env> extends WorkspaceObject<Env> {
  static override readonly options = {
    shellSettings: { limits: { running: LIMITS.executions } },
    // The Worker knows the requested address, and signs the real one.
    sandboxSettings: { previewUrl: async (port: number) => `port:${port}` },
  };

  readonly #meter = new UsageMeter(
    this.ctx.storage.sql,
    () => this.workspace[internals].volume.ensureOpen().revisions.head,
  );
  readonly #sessions: McpSessions = new McpSessions(this.ctx.storage.sql, {
    isOpen: (session) => this.#live.hasStream(session),
    close: (session) => this.#live.closeStream(session),
  });
  readonly #live: LiveFeed = new LiveFeed(this.ctx, this.workspace, {
    subscriptions: (session) => this.#sessions.subscriptions(session),
    isVisible: isVisibleToModel(this.env as WorkerEnv),
  });
  readonly #tools = new ToolsetCache({
    workspace: this.workspace,
    name: this.ctx.id.name ?? "",
    env: this.env as WorkerEnv,
  });
  readonly #services: ObjectServices = {
    tools: {
      list: (caller, dialect) => this.#tools.list(caller, dialect),
      call: (caller, name, input, callId) => this.#callTool(caller, name, input, callId),
    },
    live: this.#live,
    stdin: new PendingStdin(),
    sessions: this.#sessions,
    stats: () => ({ databaseBytes: this.ctx.storage.sql.databaseSize, ...this.#meter.totals() }),
    follow: (started) => this.#follow(started),
    measure: (what, work, failed) => this.#measure(what, work, failed),
  };
  #listed = false;

  override async workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply> {
    if (call.verb === "consumePreviewLink" || call.verb === "deleteWorkspace") return this.#deploymentVerb(call);
    // A caller can name any verb; only existing ones get a row of their own.
    const run = () => super.workspaceRpc(call);
    const what = { kind: verbKind(call), callId: call.callId, waits: BLOCKING_VERBS.has(call.verb) };
    const reply = await this.#meter.measure(what, run, (answer) => "error" in answer);
    if (call.verb === "shellExec" && "value" in reply) this.#follow(reply.value as StartedCommand);
    return reply;
  }

  /** A command has costs while it runs, which is longer than the call that started it. */
  #follow({ id, callId }: StartedCommand): void {
    const run = async () => {
      await using handle = await this.workspace.shell.get(id);
      return handle.result();
    };
    this.#meter
      .measure({ kind: "command", callId, saved: true }, run, ({ exitCode }) => exitCode !== 0)
      .catch(() => {});
  }

  /** From the Worker only: objects have no public address. */
  override fetch(request: Request): Promise<Response> {
    const context = readForwardedContext(request);
    if (context === null) return super.fetch(request);
    const { workspace, env, ctx } = this;
    const dependencies = { workspace, object: this.#services, env: env as WorkerEnv, context: ctx };
    return handleRequest(dependencies, request, context);
  }

  override webSocketMessage(socket: WebSocket): void {
    this.#live.message(socket);
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    // Close codes reserved for the runtime cannot be sent back.
    socket.close(code === 1005 || code === 1006 || code === 1015 ? 1000 : code);
    this.#live.closed();
  }

  override webSocketError(): void {
    this.#live.closed();
  }

  /** Files denied to the tools are excluded from the container's tree too, where a command could read them. */
  protected override createWorkspace(options: WorkspaceOptions): WorkspaceObject["workspace"] {
    const policy = deniedGlobs(this.env as WorkerEnv).map((glob) =>
      glob.startsWith("!")
        ? ({ glob: glob.slice(1), keep: "durable" } as const)
        : ({ glob, keep: "container-only" } as const),
    );
    return super.createWorkspace({ ...options, sandboxSettings: { ...options.sandboxSettings, policy } });
  }

  /** The first change of this incarnation registers the workspace, whatever its entry point. */
  protected override async scheduleMaintenance(): Promise<void> {
    await super.scheduleMaintenance();
    const { name } = this.ctx.id;
    if (this.#listed || name === undefined || this.workspace[internals].volume.revisions.head <= INITIAL_REVISION)
      return;
    try {
      await registryStub(this.env as WithRegistry).add(name);
      this.#listed = true;
    } catch (error) {
      // The change is committed; the next one retries the registration.
      console.error(error);
    }
  }

  #callTool(
    caller: ToolPrincipal,
    name: string,
    input: Record<string, unknown>,
    callId?: string,
  ): Promise<ToolResult | null> {
    const kind = KIND.test(name) ? `tool ${name}` : "unknown";
    // A read-only call is not in the change log: this id connects the call's record with its cost.
    const id = callId ?? `call-${crypto.randomUUID()}`;
    const run = () => this.#tools.call(caller, name, input, id);
    return this.#measure(
      { kind, callId: id, saved: true },
      run,
      (answer) => answer === null || answer.isError === true,
    );
  }

  /** Metered; changes are in the registry before the response is sent. */
  async #measure<T>(what: MeasuredUsage, work: () => Promise<T>, failed: (result: T) => boolean): Promise<T> {
    const result = await this.#meter.measure(what, work, failed);
    await this.keptUp();
    return result;
  }

  async #deploymentVerb({ verb, args }: WorkspaceCall): Promise<WorkspaceReply> {
    if (verb === "consumePreviewLink")
      return { value: await this.#consumePreviewLink(String(args[0]), Number(args[1])) };
    await this.#delete();
    return { value: null };
  }

  async #consumePreviewLink(id: string, expires: number): Promise<boolean> {
    const { storage } = this.ctx;
    const now = Math.floor(Date.now() / 1000);
    const spent = (await storage.get<Record<string, number>>(SPENT_LINKS)) ?? {};
    if (id in spent || expires <= now) return false;
    const retained = Object.entries(spent).filter(([, until]) => until > now);
    await storage.put(SPENT_LINKS, Object.fromEntries([...retained, [id, expires]]));
    return true;
  }

  async #delete(): Promise<void> {
    this.#meter.stop();
    for (const socket of this.ctx.getWebSockets()) socket.close(1001, DELETED_MESSAGE);
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    await this.ctx.storage.sync();
    this.ctx.abort(DELETED_MESSAGE);
  }
}

interface StartedCommand {
  id: string;
  callId: string;
}

/** Verbs that respond when an event has happened. */
const BLOCKING_VERBS: ReadonlySet<unknown> = new Set(["shellEvents", "shellResult", "watch"]);

const KIND = /^[a-z][A-Za-z_]{0,30}$/;

function verbKind({ verb, args }: WorkspaceCall): string {
  if (typeof verb !== "string" || !KIND.test(verb)) return "unknown";
  const [first] = Array.isArray(args) ? args : [];
  if (verb === "gitCall" && typeof first === "string" && KIND.test(first)) return `git ${first}`;
  return verb;
}
