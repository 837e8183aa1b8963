/**
 * The RPC server of a workspace: handles the calls of `getWorkspace` in a Durable Object. A custom object serves its workspace with
 * a single method of this name:
 *
 *   class Agent extends DurableObject {
 *     workspace = new Workspace({ storage: this.ctx.storage });
 *     workspaceRpc(call: WorkspaceCall) { return serveWorkspace(this.workspace, call); }
 *   }
 *   const ws = getWorkspace(env.AGENT, "name");
 */
import { RPC_LIMITS, type WorkspaceCall, type WorkspaceReply } from "@workspace/protocol";
import type { Workspace, WorkspacePolicy } from "../workspace.ts";
import {
  type ArgumentCheck,
  BadArgument,
  invalid,
  list,
  optional,
  plainObject,
  reject,
  stream,
  text,
} from "./arguments.ts";
import type { CallContext } from "./call-context.ts";
import { dispatch } from "./verb.ts";
import { verbs } from "./verbs.ts";
import { toWireError } from "./wire-error.ts";

export interface ServeOptions {
  /** The actor behind this binding, if the object knows it. The name that the call reports is then only a suffix: `actor/said`. */
  actor?: string;
}

/** Never rejects, whatever its arguments. */
export async function serveWorkspace(
  workspace: Workspace,
  call: WorkspaceCall,
  options: ServeOptions = {},
): Promise<WorkspaceReply> {
  let session: CallContext;
  try {
    session = openSession(workspace.as(options), call);
  } catch (error) {
    return { error: toWireError(error instanceof BadArgument ? invalid("call", error.message) : error) };
  }
  try {
    return await dispatch(verbs, call.verb, call.args, session);
  } finally {
    // The verb failed before it read its body: the client stops sending.
    if (session.body && !session.body.locked) session.body.cancel().catch(() => {});
  }
}

/** `restrict` checks its fields. */
const policy: ArgumentCheck<WorkspacePolicy> = (value, name) => ({ ...plainObject(value, name) });

function openSession(workspace: Workspace, call: unknown): CallContext {
  const { actor, callId, at, policies, body, filter } = plainObject(call, "the call");
  if (filter !== undefined && typeof filter !== "function") return reject("filter", "a function");
  const named = workspace.as({ actor: optional(text)(actor, "actor"), callId: optional(text)(callId, "callId") });
  const view = (optional(list(policy, RPC_LIMITS.policies))(policies, "policies") ?? []).reduce(
    (wider, one) => wider.restrict(one),
    named,
  );
  const then = at === undefined ? view : view.at(text(at, "at"));
  return {
    workspace: view,
    fs: then.fs,
    // Few calls need it, and creating it has a cost.
    get git() {
      return then.git;
    },
    body: optional(stream)(body, "body"),
    filter: filter as CallContext["filter"],
  };
}
