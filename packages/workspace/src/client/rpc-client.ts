/**
 * The way to one object: makes a call, tells answers from failures, and remembers what is open. A stub that failed once fails
 * for ever, so a line made from a namespace takes a new one for the next call; the failed call itself is never repeated.
 */
import type { WireTarget, WorkspaceAnswer, WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
import { FsError, type Identity } from "@workspace/vfs";
import type { WorkspacePolicy } from "../workspace.ts";
import { reviveError } from "./revive.ts";
import { disposedError, transportError, type WorkspaceRpcError } from "./rpc-error.ts";

/** What `getWorkspace` needs of a stub: `WorkspaceObject` has it, and any object that calls `serveWorkspace`. */
export interface WorkspaceStub {
  workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply>;
}

/** An answer, and the way to let go of the stubs in it. */
export type RpcResult = WorkspaceAnswer & Partial<Disposable>;

/** The present stub, shared by a client and its views. */
export class StubHolder {
  readonly #connect: () => WorkspaceStub;
  #stub: WorkspaceStub | undefined;

  constructor(connect: () => WorkspaceStub) {
    this.#connect = connect;
  }

  get stub(): WorkspaceStub {
    this.#stub ??= this.#connect();
    return this.#stub;
  }

  /** Whoever failed on this stub, or on something it gave: it is not used again. */
  forget(stub: WorkspaceStub | undefined = this.#stub): void {
    if (this.#stub === stub) this.#stub = undefined;
  }
}

/**
 * What one client, or one view of it, asks and holds. Disposing it closes what was opened through it, views included. A view is
 * known to the client it came from only while it holds something: a view per call must not pile up.
 */
export class RpcClient {
  readonly identity: Identity;
  readonly #line: StubHolder;
  readonly #parent: RpcClient | undefined;
  readonly #open = new Set<Disposable>();
  #disposed = false;

  /** The moment that this view looks at, if not the present. */
  readonly #at: string | undefined;

  /** Of the restricted views that this is in. */
  readonly #policies: readonly WorkspacePolicy[];

  constructor(
    line: StubHolder,
    identity: Identity,
    parent?: RpcClient,
    at?: string,
    policies: readonly WorkspacePolicy[] = [],
  ) {
    this.#policies = policies;
    this.#line = line;
    this.identity = identity;
    this.#parent = parent;
    this.#at = at;
  }

  async call(verb: string, args: unknown[], extra: Pick<WorkspaceCall, "body" | "filter"> = {}): Promise<RpcResult> {
    if (this.disposed) throw disposedError(verb);
    const { stub } = this.#line;
    const at = this.#at === undefined ? {} : { at: this.#at };
    const policies = this.#policies.length === 0 ? {} : { policies: [...this.#policies] };
    const ask = () => stub.workspaceRpc({ verb, args, ...this.identity, ...at, ...policies, ...extra });
    return unwrapReply(verb, ask, () => this.#line.forget(stub));
  }

  /** A call on a handle or directory that is held open at the object. */
  async callTarget(target: WireTarget, verb: string, op: string, args: unknown[] = []): Promise<RpcResult> {
    return unwrapReply(
      verb,
      () => target.ask(op, args),
      () => this.#line.forget(),
    );
  }

  /** For an answer that broke off while it was taken in. */
  lost(verb: string, error: unknown): WorkspaceRpcError {
    this.#line.forget();
    return transportError(verb, error);
  }

  view(identity: Identity, at?: string): RpcClient {
    return new RpcClient(this.#line, identity, this, at, this.#policies);
  }

  restrict(policy: WorkspacePolicy): RpcClient {
    return new RpcClient(this.#line, this.identity, this, this.#at, [...this.#policies, policy]);
  }

  keep(resource: Disposable): void {
    if (this.disposed) {
      resource[Symbol.dispose]();
      return;
    }
    this.#open.add(resource);
    this.#parent?.keep(this);
  }

  drop(resource: Disposable): void {
    this.#open.delete(resource);
    if (this.#open.size === 0) this.#parent?.drop(this);
  }

  get disposed(): boolean {
    return this.#disposed || (this.#parent?.disposed ?? false);
  }

  /** How many handles, directories and watches are open through it. */
  get held(): number {
    return this.#open.size;
  }

  [Symbol.dispose](): void {
    // First what is open: a watch takes leave of the object with a last call.
    for (const resource of [...this.#open]) resource[Symbol.dispose]();
    this.#open.clear();
    this.#parent?.drop(this);
    this.#disposed = true;
  }
}

async function unwrapReply(verb: string, ask: () => Promise<WorkspaceReply>, failed: () => void): Promise<RpcResult> {
  let reply: WorkspaceReply;
  try {
    reply = await ask();
  } catch (error) {
    if (isUnsendable(error))
      throw new FsError("EINVAL", { syscall: verb, reason: "an argument cannot be sent", cause: error });
    failed();
    throw transportError(verb, error);
  }
  if ("error" in reply) throw reviveError(verb, reply.error);
  return reply;
}

/** The runtime refused to clone an argument: nothing was sent, and the stub is as good as before. */
function isUnsendable(error: unknown): boolean {
  return error instanceof Error && error.name === "DataCloneError" && (error as { remote?: unknown }).remote !== true;
}
