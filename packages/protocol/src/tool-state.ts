/**
 * State of the tools, stored by the workspace where no tool can write: disabled tools, the file versions that an actor has seen,
 * proposed writes, the audit log, agents and their messages. `MemoryToolState` of the tools stores it for a process; the
 * workspace's own implementation stores it in `ws_*` tables.
 */
export interface ToolState {
  /** Missing: nothing is disabled. */
  disabledTools(): Promise<readonly string[]>;
  /** An empty set removes the record. */
  saveDisabledTools(names: readonly string[]): Promise<void>;

  /**
   * The state of the file that this actor last read or wrote; undefined: never. Synchronous where the state is in the same object.
   */
  seen(actor: string, path: string): ReadVersion | undefined | Promise<ReadVersion | undefined>;
  /** Null removes the record. */
  recordRead(actor: string, path: string, seen: ReadVersion | null): void | Promise<void>;

  proposals(actor: string): Promise<readonly Proposal[]>;
  /** Replaces the queued change of the same path. */
  propose(actor: string, proposals: readonly Proposal[]): Promise<void>;
  dropProposals(actor: string, paths?: readonly string[]): Promise<void>;

  /** The content that a call replaced, for stores without a history. */
  keepSnapshots(callId: string, snapshots: readonly FileSnapshot[]): Promise<void>;
  snapshots(callId: string): Promise<readonly FileSnapshot[] | undefined>;

  audit(record: AuditRecord): void | Promise<void>;
  /** Newest first. */
  auditLog(options?: { limit?: number; before?: number }): Promise<readonly AuditEntry[]>;

  /** Counts a new sub-agent; false if the parent already has `limit`. */
  reserveAgent(parent: string, limit: number): Promise<boolean>;
  /** Queues a message, or returns the limit it would exceed. */
  send(message: AgentMessage, limits: SendLimits): Promise<"sent" | "queue" | "rate" | "sender-rate">;
  /** Removes and returns all queued messages, oldest first. */
  inbox(agentId: string): Promise<readonly AgentMessage[]>;
}

export interface ReadVersion {
  /** Version of the whole file, metadata included. */
  readonly version: string;
  /** Version of its bytes alone; if equal, no change is lost. */
  readonly contentVersion: string;
}

export interface Proposal {
  readonly path: string;
  /** Null: the file is to be deleted. */
  readonly content: Uint8Array | null;
  /** The version it is based on; null: the file must not exist. */
  readonly base: string | null;
  /** Absent: the mode of the existing file, or the default of new files. */
  readonly mode?: number;
  /** When it was queued; absent in older records. */
  readonly timeMs?: number;
}

export interface FileSnapshot {
  readonly path: string;
  /** Null: it did not exist, and a rollback deletes it. */
  readonly content: Uint8Array | null;
  readonly mode?: number;
}

export interface AuditRecord {
  readonly timeMs: number;
  readonly actor: string;
  readonly callId: string;
  readonly tool: string;
  readonly outcome: "success" | "failure" | "refused";
  /** Code of the error, or "". */
  readonly code: string;
  readonly durationMs: number;
  /** JSON, with secrets redacted and long texts removed. */
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
  /** Messages queued for the receiver. */
  readonly queue: number;
  /** Between the two, in both directions together. */
  readonly perMinute: number;
  /** From the sender, to all receivers together. */
  readonly perSenderMinute: number;
}

/** The methods of the state that a client may call, by name. */
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
