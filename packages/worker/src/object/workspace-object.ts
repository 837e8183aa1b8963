/**
 * The workspace's object in this deployment: `WorkspaceObject` plus what must live beside the data: the file routes, the tools, the
 * live feed, streamed git, the usage meter, registration, and deletion. The rest of the API works over RPC.
 */
import type { Dialect, ToolResult } from "@cloudflare/fs-tools";
import { WorkspaceObject, type WorkspaceOptions } from "@cloudflare/workspace";
import type { WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
import type { Env as WorkerEnv } from "../env.ts";
import { type ErrorBody, errorBody } from "../errors/error-response.ts";
import { LIMITS } from "../limits.ts";
import { isFeedRequest, LiveFeed } from "../live/live-feed.ts";
import { answerResource, type ResourceAnswer } from "../mcp/answer-resource.ts";
import { deniedGlobs, modelPolicy } from "../model-policy.ts";
import { registryStub, type WithRegistry } from "../registry/registry-stub.ts";
import { DELETED_MESSAGE } from "../routes/destroy-workspace.ts";
import { type ForwardedContext, readForwardedContext } from "../routes/forward-request.ts";
import { clientIdentity } from "../routes/logged-identity.ts";
import { handleRequest, insideKind } from "./handle-request.ts";
import { type PendingExec, PendingStdin } from "./pending-stdin.ts";
import type { MeterRow } from "./store/meter-row.ts";
import { type GitRequest, streamGit } from "./stream-git.ts";
import { type ToolList, type ToolPrincipal, ToolsetCache } from "./toolset-cache.ts";
import { type MeasuredUsage, UsageMeter } from "./usage-meter.ts";

const SPENT_LINKS = "spent-preview-links";

/** Revisions of an unchanged workspace: `/`, and the root. */
const INITIAL_REVISION = 2;

export interface ObjectStats extends MeterRow {
  databaseBytes: number;
}

export class HttpWorkspaceObject<Env = Cloudflare.Env> extends WorkspaceObject<Env> {
  static override readonly options = {
    shellSettings: { limits: { running: LIMITS.executions } },
    // The Worker knows the requested address, and signs the real one.
    sandboxSettings: { previewUrl: async (port: number) => `port:${port}` },
  };

  readonly #meter = new UsageMeter(this.ctx.storage.sql, () => this.workspace.volume.ensureOpen().headRev);
  readonly #live = new LiveFeed(this.ctx, this.workspace);
  readonly #inputs = new PendingStdin();
  readonly #tools = new ToolsetCache({
    workspace: this.workspace,
    name: this.ctx.id.name ?? "",
    env: this.env as WorkerEnv,
  });
  #listed = false;

  override async workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply> {
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
    const requested = readForwardedContext(request);
    if (requested !== null) return this.#answer(request, requested);
    return isFeedRequest(request) ? this.#live.accept(request) : super.fetch(request);
  }

  #answer(request: Request, asked: ForwardedContext): Promise<Response> {
    const { callId } = clientIdentity(request);
    const run = () => handleRequest(this.workspace, request, asked, { env: this.env as WorkerEnv, context: this.ctx });
    return this.#counted({ kind: insideKind(asked), callId }, run, (answer) => answer.status >= 400);
  }

  /** Metered; changes are in the registry before the response is sent. */
  async #counted<T>(what: MeasuredUsage, work: () => Promise<T>, failed: (result: T) => boolean): Promise<T> {
    const result = await this.#meter.measure(what, work, failed);
    await this.keptUp();
    return result;
  }

  /** True the first time; remembered until the link has expired. */
  async consumePreviewLink(id: string, expires: number): Promise<boolean> {
    const { storage } = this.ctx;
    const now = Math.floor(Date.now() / 1000);
    const spent = (await storage.get<Record<string, number>>(SPENT_LINKS)) ?? {};
    if (id in spent || expires <= now) return false;
    const retained = Object.entries(spent).filter(([, until]) => until > now);
    await storage.put(SPENT_LINKS, Object.fromEntries([...retained, [id, expires]]));
    return true;
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

  /** NDJSON of `GitEvent`s. */
  async gitStream(request: GitRequest): Promise<ReadableStream<Uint8Array>> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    void this.#meter.measure(
      { kind: "gitCli", callId: request.identity.callId },
      () => ended,
      () => false,
    );
    return streamGit(this.workspace, request, () => this.keptUp().finally(end));
  }

  listTools(caller: ToolPrincipal, dialect: Dialect = "mcp"): Promise<ToolList> {
    return this.#tools.list(caller, dialect);
  }

  /** Null: this caller has no such tool. */
  callTool(
    caller: ToolPrincipal,
    name: string,
    input: Record<string, unknown>,
    callId?: string,
  ): Promise<ToolResult | null> {
    const kind = KIND.test(name) ? `tool ${name}` : "unknown";
    // A read-only call is not in the change log: this id connects the call's record with its cost.
    const id = callId ?? `call-${crypto.randomUUID()}`;
    const run = () => this.#tools.call(caller, name, input, id);
    return this.#counted(
      { kind, callId: id, saved: true },
      run,
      (answer) => answer === null || answer.isError === true,
    );
  }

  /** For MCP; errors of this package do not cross RPC as such. */
  readResource(name: string, uri: string, actor: string): Promise<ResourceAnswer> {
    const view = this.workspace.as({ actor }).restrict(modelPolicy(this.env as WorkerEnv));
    const run = () => answerResource(view.fs, name, uri);
    return this.#meter.measure({ kind: "readFile" }, run, (answer) => "refused" in answer);
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

  async startWithInput(asked: PendingExec): Promise<{ id: string; callId: string } | ErrorBody> {
    try {
      const started = await this.#inputs.start(this.workspace, asked);
      this.#follow(started);
      return started;
    } catch (error) {
      return errorBody(error);
    }
  }

  /** False: this object does not hold the execution's input. */
  async addInput(id: string, bytes: Uint8Array, end: boolean): Promise<boolean | "closed"> {
    try {
      return await this.#inputs.add(id, bytes, end);
    } catch {
      return "closed";
    }
  }

  cancelStdin(id: string): boolean {
    return this.#inputs.cancel(id);
  }

  objectStats(): ObjectStats {
    return { databaseBytes: this.ctx.storage.sql.databaseSize, ...this.#meter.totals() };
  }

  /** The first change of this incarnation registers the workspace, whatever its entry point. */
  protected override async scheduleMaintenance(): Promise<void> {
    await super.scheduleMaintenance();
    const { name } = this.ctx.id;
    if (this.#listed || name === undefined || this.workspace.volume.headRev <= INITIAL_REVISION) return;
    try {
      await registryStub(this.env as WithRegistry).add(name);
      this.#listed = true;
    } catch (error) {
      // The change is committed; the next one retries the registration.
      console.error(error);
    }
  }

  /** Deletes all data and ends this incarnation, so that no cached state is written again. */
  async destroy(): Promise<void> {
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
