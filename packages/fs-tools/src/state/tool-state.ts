/**
 * The tools' persistent state. The interface is in the protocol, because the workspace stores it and its client carries it over
 * RPC.
 */
export type {
  AgentMessage,
  AuditEntry,
  AuditRecord,
  FileSnapshot,
  Proposal,
  ReadVersion,
  SendLimits,
  ToolState,
} from "@workspace/protocol";
