/** The host runs sub-agents: the runner gets a task and a role, and returns text, queued writes and an error. */
import type { FileWrite } from "../proposals/file-write.ts";

export interface AgentTask {
  agentId: string;
  parentId: string;
  task: string;
  role: string;
  template?: string;
  modelId?: string;
  /** Depth of the new agent: 1 if the top agent spawned it. */
  depth: number;
  signal?: AbortSignal;
}

export interface AgentOutcome {
  text: string;
  /** Its proposed writes; they join the parent's proposals, or are written if the parent writes directly. */
  writes?: readonly FileWrite[];
  error?: string;
}

export type AgentRunner = (task: AgentTask) => Promise<AgentOutcome>;
