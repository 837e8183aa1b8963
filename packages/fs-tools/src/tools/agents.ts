/** `agent_spawn` and `agent_send`: sub-agents and messages, within limits that the model cannot bypass. */
import * as z from "zod";
import { defineTool } from "../definition/define-tool.ts";
import type { AgentHostOptions, ToolContext } from "../definition/tool-context.ts";
import { answer, type ToolOutput } from "../definition/tool-result.ts";
import { ToolError } from "../errors.ts";
import { applyWrites } from "../proposals/proposals.ts";

const ROLE_NAMES = ["explorer", "planner", "coder", "full"] as const;

const spawnSchema = z.strictObject({
  task: z.string().min(1).optional().describe("What the sub-agent is to do"),
  message: z.string().min(1).optional().describe("The same, under its other name"),
  role: z.enum(ROLE_NAMES).optional().describe("explorer reads, planner also runs commands, coder (default) writes"),
  template: z.string().optional(),
  modelId: z.string().optional(),
});

export const agentSpawnTool = defineTool({
  name: "agent_spawn",
  group: "agents",
  description: "Start a sub-agent on a task and wait for its answer. What it wants to write joins your own writes.",
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true, untrusted: true },
  schema: spawnSchema,
  available: (host) => host.agents !== undefined,
  handler: spawn,
});

async function spawn(input: z.output<typeof spawnSchema>, ctx: ToolContext): Promise<ToolOutput> {
  const task = input.task ?? input.message;
  if (task === undefined)
    throw new ToolError("INVALID_INPUT", "Say in task what the sub-agent is to do.", { field: "task" });
  const { runner, agentId: parentId, depth: own = 0 } = ctx.host.agents as AgentHostOptions;
  const depth = own + 1;
  if (depth > ctx.limits.agentDepth)
    throw new ToolError(
      "QUOTA",
      `Sub-agents may be ${ctx.limits.agentDepth} deep; this one is at ${own}. Do the task yourself.`,
    );
  if (!(await ctx.state.reserveAgent(parentId, ctx.limits.agentsPerParent)))
    throw new ToolError(
      "QUOTA",
      `You have started ${ctx.limits.agentsPerParent} sub-agents already. Do the task yourself.`,
    );
  const agentId = `agent-${crypto.randomUUID()}`;
  const outcome = await runner({
    ...{ agentId, parentId, task, role: input.role ?? "coder", depth },
    ...(input.template === undefined ? {} : { template: input.template }),
    ...(input.modelId === undefined ? {} : { modelId: input.modelId }),
    ...(ctx.signal === undefined ? {} : { signal: ctx.signal }),
  });
  if (outcome.error !== undefined && outcome.error !== "")
    throw new ToolError("CALL_FAILED", `The sub-agent failed: ${outcome.error}`, { agentId, response: outcome.text });
  const writes = outcome.writes ?? [];
  // Queued if the parent's writes are queued, written otherwise.
  if (writes.length > 0) await applyWrites(ctx.files, ctx.paths, writes);
  return answer({
    agentId,
    response: outcome.text,
    depth,
    ...(writes.length === 0 ? {} : { writes: writes.map(({ path }) => ctx.paths.absolute(path)) }),
  });
}

const sendSchema = z.strictObject({ targetAgentId: z.string().min(1).max(256), message: z.string().min(1) });

export const agentSendTool = defineTool({
  name: "agent_send",
  group: "agents",
  description: "Send a message to another agent.",
  annotations: { readOnly: false, destructive: false, idempotent: false },
  schema: sendSchema,
  available: (host) => host.agents !== undefined,
  handler: async ({ targetAgentId, message }, ctx) => {
    const { messageBytes, messageQueue, messagesPerMinute, messagesPerSenderMinute } = ctx.limits;
    const size = new TextEncoder().encode(message).length;
    if (size > messageBytes)
      throw new ToolError(
        "TOO_LARGE",
        `The message has ${size} bytes; at most ${messageBytes} are sent. Write a file and send its path.`,
      );
    const from = (ctx.host.agents as AgentHostOptions).agentId;
    const outcome = await ctx.state.send(
      { from, to: targetAgentId, text: message, timeMs: ctx.host.now() },
      { queue: messageQueue, perMinute: messagesPerMinute, perSenderMinute: messagesPerSenderMinute },
    );
    if (outcome === "queue")
      throw new ToolError(
        "QUOTA",
        `${targetAgentId} has ${messageQueue} messages waiting. Try again when it has read some.`,
      );
    if (outcome === "rate")
      throw new ToolError(
        "QUOTA",
        `${messagesPerMinute} messages a minute are allowed between two agents. Wait a minute.`,
      );
    if (outcome === "sender-rate")
      throw new ToolError(
        "QUOTA",
        `An agent sends ${messagesPerSenderMinute} messages a minute at most. Wait a minute.`,
      );
    return answer({ sent: true, targetAgentId });
  },
});
