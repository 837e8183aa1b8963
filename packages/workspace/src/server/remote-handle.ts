/**
 * Resources that clients hold open at an object: file handles and directories, as RpcTargets. The runtime disposes a target when
 * its client disposes the stub or is gone, and the handle behind it is released with it. Counted per workspace, so that a careless
 * client gets EMFILE before it exhausts the object's memory.
 */
import { RpcTarget } from "cloudflare:workers";
import { RPC_LIMITS, type WireTarget, type WorkspaceReply } from "@workspace/protocol";
import { FsError } from "@workspace/vfs";
import { dispatch, type Verb } from "./verb.ts";

/** The number of targets that clients hold at one workspace. */
interface OpenTargets {
  open: number;
}

/** Throws when too many are open already: call it before the handle is created. */
export function reserveTarget(targets: OpenTargets, syscall: string, path: string): void {
  if (targets.open >= RPC_LIMITS.openTargets) throw new FsError("EMFILE", { syscall, path });
}

export class RemoteHandle<Subject> extends RpcTarget implements WireTarget {
  readonly #count: OpenTargets;
  readonly #ops: ReadonlyMap<string, Verb<Subject>>;
  readonly #subject: Subject;
  readonly #release: (subject: Subject) => Promise<void>;
  #open = true;

  constructor(
    targets: OpenTargets,
    ops: ReadonlyMap<string, Verb<Subject>>,
    subject: Subject,
    release: (subject: Subject) => Promise<void>,
  ) {
    super();
    this.#ops = ops;
    this.#subject = subject;
    this.#release = release;
    this.#count = targets;
    this.#count.open++;
  }

  ask(op: string, args: unknown[]): Promise<WorkspaceReply> {
    return dispatch(this.#ops, op, args, this.#subject);
  }

  [Symbol.dispose](): void {
    if (!this.#open) return;
    this.#open = false;
    this.#count.open--;
    // A handle that its client closed is closed already; for a lost one, no client is left to receive the error.
    this.#release(this.#subject).catch(() => {});
  }
}
