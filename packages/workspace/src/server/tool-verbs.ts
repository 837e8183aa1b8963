/** The tool state over RPC: one verb for each method of `ToolState`. */
import { internals, type ToolState, type WorkspaceAnswer } from "@workspace/protocol";
import {
  type ArgumentCheck,
  bytes,
  fields,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  options,
  reject,
  text,
} from "./arguments.ts";
import type { CallContext } from "./call-context.ts";
import { type Verb, verbDefiner } from "./verb.ts";

const ITEMS = 1000;

const milliseconds: ArgumentCheck<number> = (value, name) =>
  typeof value === "number" && Number.isFinite(value) ? value : reject(name, "a number");
const seen = fields({ version: text, contentVersion: text });
const proposal = fields({
  path: text,
  content: nullable(bytes),
  base: nullable(text),
  mode: optional(integer),
  timeMs: optional(milliseconds),
});
const snapshot = fields({ path: text, content: nullable(bytes), mode: optional(integer) });
const record = fields({
  timeMs: milliseconds,
  actor: text,
  callId: text,
  tool: text,
  outcome: oneOf("success", "failure", "refused"),
  code: text,
  durationMs: milliseconds,
  input: text,
});
const message = fields({ from: text, to: text, text, timeMs: milliseconds });
const page = options({ limit: "number", before: "number" });

const verb = verbDefiner<CallContext>();

async function value(known: unknown): Promise<WorkspaceAnswer> {
  return { value: await known };
}

const of = ({ workspace }: CallContext): ToolState => workspace[internals].toolState;

export const toolVerbs = {
  "tools.disabledTools": verb([], (session) => value(of(session).disabledTools())),
  "tools.saveDisabledTools": verb([list(text, ITEMS)], (session, names) => value(of(session).saveDisabledTools(names))),
  "tools.seen": verb([text, text], (session, actor, path) => value(of(session).seen(actor, path))),
  "tools.recordRead": verb([text, text, nullable(seen)], (session, actor, path, state) =>
    value(of(session).recordRead(actor, path, state)),
  ),
  "tools.proposals": verb([text], (session, actor) => value(of(session).proposals(actor))),
  "tools.propose": verb([text, list(proposal, ITEMS)], (session, actor, items) =>
    value(of(session).propose(actor, items)),
  ),
  "tools.dropProposals": verb([text, optional(list(text, ITEMS))], (session, actor, paths) =>
    value(of(session).dropProposals(actor, paths)),
  ),
  "tools.keepSnapshots": verb([text, list(snapshot, ITEMS)], (session, callId, items) =>
    value(of(session).keepSnapshots(callId, items)),
  ),
  "tools.snapshots": verb([text], (session, callId) => value(of(session).snapshots(callId))),
  "tools.audit": verb([record], (session, entry) => value(of(session).audit(entry))),
  "tools.auditLog": verb([page], (session, options) => value(of(session).auditLog(options))),
  "tools.reserveAgent": verb([text, integer], (session, parent, limit) =>
    value(of(session).reserveAgent(parent, limit)),
  ),
  "tools.send": verb(
    [message, fields({ queue: integer, perMinute: integer, perSenderMinute: integer })],
    (session, item, limits) => value(of(session).send(item, limits)),
  ),
  "tools.inbox": verb([text], (session, agentId) => value(of(session).inbox(agentId))),
} satisfies Record<`tools.${keyof ToolState}`, Verb<CallContext>>;
