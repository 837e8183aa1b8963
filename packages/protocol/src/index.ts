export { FS_ERROR_CODES, type FsErrorCode, isFsErrorCode } from "./error-codes.ts";
export { encodeFrame, type Frame, FrameError, type FrameLimits, readFrames } from "./frames.ts";
export type {
  GrepAnswer,
  GrepBudget,
  GrepContextLine,
  GrepFile,
  GrepGlob,
  GrepHit,
  GrepMessage,
  GrepMode,
  GrepQuery,
  GrepRange,
  GrepStats,
  GrepTruncation,
} from "./grep.ts";
export { ownBytes } from "./own-bytes.ts";
export { PRIVATE_DIRECTORY } from "./private-directory.ts";
export { RPC_LIMITS } from "./rpc-limits.ts";
export { offersOf, outcomesOf, scanOf, settledOf, takenOf, withContents } from "./sync/entries.ts";
export {
  countOf,
  type Fields,
  fieldsOf,
  flagOf,
  listOf,
  oneOf,
  optionalCount,
  optionalText,
  pathOf,
  textOf,
} from "./sync/fields.ts";
export { LinkGauge } from "./sync/link-gauge.ts";
export { decodeMessage, encodeMessage, type Message } from "./sync/message-codec.ts";
export type {
  EntryKind,
  ExecExit,
  HelloAnswer,
  Offer,
  OfferOutcome,
  ScanAnswer,
  Settled,
  Skipped,
  Taken,
  WireFault,
} from "./sync/messages.ts";
export { isWorthPacking, joinBody, PACKING_PROTOCOL, packedLength, sampleOf } from "./sync/packing.ts";
export { CONTAINER_ONLY, CONTAINER_ONLY_REASON, IGNORE_FILE } from "./sync/policy.ts";
export { SYNC_LIMITS } from "./sync/sync-limits.ts";
export {
  type AgentMessage,
  type AuditEntry,
  type AuditRecord,
  type FileSnapshot,
  type Proposal,
  type Seen,
  type SendLimits,
  TOOL_STATE_METHODS,
  type ToolState,
} from "./tool-state.ts";
export type {
  WireDirent,
  WireDirPage,
  WireError,
  WireExec,
  WireExecEvent,
  WireExecResult,
  WireGitResult,
  WireScanEntry,
  WireStat,
  WireTarget,
  WireWatched,
  WireWatchPage,
  WorkspaceAnswer,
  WorkspaceCall,
  WorkspaceReply,
} from "./wire.ts";
export {
  createWorkBudget,
  defaultWorkLimits,
  type WorkBudget,
  WorkError,
  type WorkErrorCode,
  type WorkLimits,
  type WorkUsed,
} from "./work-budget.ts";
