/**
 * What the tools remember, kept by the workspace where no tool can write: which tools are switched off, what an actor has seen of a
 * file, proposed writes, the audit log, agents and their messages. `MemoryToolState` of the tools keeps it for a process; the
 * workspace's own implementation keeps it in `ws_*` tables.
 */
export interface ToolState {
  /** Missing: nothing is disabled. */
  disabledTools(): Promise<readonly string[]>;
  /** An empty set removes the record. */
  saveDisabledTools(names: readonly string[]): Promise<void>;

  /** The state of the file that this actor last read or wrote; undefined: never. At once, where the state is in the same object. */
  seen(actor: string, path: string): ReadVersion | undefined | Promise<ReadVersion | undefined>;
  /** Null forgets. */
  recordRead(actor: string, path: string, seen: ReadVersion | null): void | Promise<void>;

  proposals(actor: string): Promise<readonly Proposal[]>;
  /** Replaces the queued change of the same path. */
  propose(actor: string, proposals: readonly Proposal[]): Promise<void>;
  dropProposals(actor: string, paths?: readonly string[]): Promise<void>;

  /** What a call replaced, for stores without a history. */
  keepSnapshots(callId: string, snapshots: readonly FileSnapshot[]): Promise<void>;
  snapshots(callId: string): Promise<readonly FileSnapshot[] | undefined>;

  audit(record: AuditRecord): void | Promise<void>;
  /** Newest first. */
  auditLog(options?: { limit?: number; before?: number }): Promise<readonly AuditEntry[]>;

  /** Counts a new sub-agent; false when the parent has `limit` already. */
  reserveAgent(parent: string, limit: number): Promise<boolean>;
  /** Queues a message, or says which limit it would break. */
  send(message: AgentMessage, limits: SendLimits): Promise<"sent" | "queue" | "rate" | "sender-rate">;
  /** Takes everything that waits, oldest first. */
  inbox(agentId: string): Promise<readonly AgentMessage[]>;
}

export interface ReadVersion {
  /** Of the whole file, metadata included. */
  readonly version: string;
  /** Of its bytes alone; equal means: nothing to lose. */
  readonly contentVersion: string;
}

export interface Proposal {
  readonly path: string;
  /** Null: the file is to be deleted. */
  readonly content: Uint8Array | null;
  /** The version it is based on; null: the file must not exist. */
  readonly base: string | null;
  /** Absent: that of the file that is there, or what new files have. */
  readonly mode?: number;
  /** When it was queued; absent in what was queued before times were kept. */
  readonly timeMs?: number;
}

export interface FileSnapshot {
  readonly path: string;
  /** Null: it did not exist, and going back deletes it. */
  readonly content: Uint8Array | null;
  readonly mode?: number;
}

export interface AuditRecord {
  readonly timeMs: number;
  readonly actor: string;
  readonly callId: string;
  readonly tool: string;
  readonly outcome: "success" | "failure" | "refused";
  /** Of the error, or "". */
  readonly code: string;
  readonly durationMs: number;
  /** JSON with secrets and long texts taken out. */
  readonly input: string;
}

export interface AuditEntry extends AuditRecord {
  readonly id: number;
}

export interface AgentMessage {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly timeMs: number;
}

export interface SendLimits {
  /** Messages that wait for the receiver. */
  readonly queue: number;
  /** Between the two, both ways together. */
  readonly perMinute: number;
  /** Of the sender, to all receivers together. */
  readonly perSenderMinute: number;
}

/** What a client may ask of the state, by name. */
export const TOOL_STATE_METHODS = [
  "disabledTools",
  "saveDisabledTools",
  "seen",
  "recordRead",
  "proposals",
  "propose",
  "dropProposals",
  "keepSnapshots",
  "snapshots",
  "audit",
  "auditLog",
  "reserveAgent",
  "send",
  "inbox",
] as const satisfies readonly (keyof ToolState)[];
