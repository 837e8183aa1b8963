/** Who runs a sub-agent is the host's affair: it is given a task and a role, and returns text, queued writes and an error. */
import type { FileWrite } from "../proposals/file-write.ts";

export interface AgentTask {
  agentId: string;
  parentId: string;
  task: string;
  role: string;
  template?: string;
  modelId?: string;
  /** Of the new agent: 1 for one spawned by the top. */
  depth: number;
  signal?: AbortSignal;
}

export interface AgentOutcome {
  text: string;
  /** What it proposes to write; it joins the parent's proposals, or is written when the parent writes directly. */
  writes?: readonly FileWrite[];
  error?: string;
}

export type AgentRunner = (task: AgentTask) => Promise<AgentOutcome>;
