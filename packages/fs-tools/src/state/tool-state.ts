/** What the tools remember. The interface stands in the protocol, because the workspace keeps it and its client carries it over RPC. */
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
