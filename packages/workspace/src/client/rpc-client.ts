/**
 * The connection to one object: makes a call, distinguishes answers from failures, and tracks open resources. A stub that failed
 * once fails forever, so a holder made from a namespace takes a new one for the next call; the failed call itself is never
 * repeated.
 */
import type { WireTarget, WorkspaceAnswer, WorkspaceCall, WorkspaceReply } from "@workspace/protocol";
import { FsError, type Identity } from "@workspace/vfs";
import type { WorkspacePolicy } from "../workspace.ts";
import { reviveError } from "./revive.ts";
import { disposedError, transportError, type WorkspaceRpcError } from "./rpc-error.ts";

/** The part of a stub that `getWorkspace` needs: `WorkspaceObject` has it, and any object that calls `serveWorkspace`. */
export interface WorkspaceStub {
  workspaceRpc(call: WorkspaceCall): Promise<WorkspaceReply>;
}

/** An answer, and the disposal of the stubs in it. */
export type RpcResult = WorkspaceAnswer & Partial<Disposable>;

/** The current stub, shared by a client and its views. */
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

  /** Drops a stub after a failure on it, or on something it returned: it is not used again. */
  forget(stub: WorkspaceStub | undefined = this.#stub): void {
    if (this.#stub === stub) this.#stub = undefined;
  }
}

/**
 * The calls and open resources of one client, or of one view of it. Disposing it closes everything opened through it, views
 * included. A client refers to a view only while the view has something open: a view per call must not accumulate.
 */
export class RpcClient {
  readonly identity: Identity;
  readonly #line: StubHolder;
  readonly #parent: RpcClient | undefined;
  readonly #open = new Set<Disposable>();
  #disposed = false;

  /** The point in time of this view, if not the present. */
  readonly #at: string | undefined;

  /** The policies of the enclosing restricted views. */
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

  /** For an answer that broke off while it was read. */
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
    // Open resources first: a watch cancels its poll with a last call.
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

/** The runtime refused to clone an argument: nothing was sent, and the stub stays usable. */
function isUnsendable(error: unknown): boolean {
  return error instanceof Error && error.name === "DataCloneError" && (error as { remote?: unknown }).remote !== true;
}
