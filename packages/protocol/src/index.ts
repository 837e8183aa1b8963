export { FS_ERROR_CODES, type FsErrorCode, isFsErrorCode } from "./error-codes.ts";
export { encodeFrame, type Frame, FrameError, type FrameLimits, readFrames } from "./frames.ts";
export type {
  GrepBudget,
  GrepContextLine,
  GrepFile,
  GrepGlob,
  GrepHit,
  GrepMessage,
  GrepMode,
  GrepQuery,
  GrepRange,
  GrepResult,
  GrepStats,
  GrepTruncation,
} from "./grep.ts";
export { internals } from "./internals.ts";
export { checkOptions, OptionError, type OptionOrigin, unknownOption } from "./options/check-options.ts";
export {
  byteRange,
  changesOptions,
  copyFileOptions,
  cpOptions,
  mkdirOptions,
  nameOptions,
  opendirOptions,
  readdirOptions,
  readFileOptions,
  renameOptions,
  retryOptions,
  rmdirOptions,
  rmOptions,
  scanOptions,
  statOptions,
  treeOptions,
  versionGuard,
  watchOptions,
  writeFileOptions,
} from "./options/file-system-options.ts";
export { handleFileOptions, handleReadOptions, readLinesOptions } from "./options/handle-options.ts";
export {
  diffOptions,
  gcOptions,
  logFilter,
  logOptions,
  maintainOptions,
  restoreOptions,
  snapshotOptions,
  undoOptions,
} from "./options/history-options.ts";
export {
  LOCAL_KINDS,
  type Mode,
  type OptionKind,
  type OptionsOf,
  type OptionTable,
  type OptionValues,
  type TableOf,
  type TextEncodingName,
  type Time,
  type WatchIgnore,
} from "./options/option-table.ts";
export { findOptions, globOptions, grepOptions, grepStreamOptions } from "./options/search-options.ts";
export { execOptions, getOptions, listOptions } from "./options/shell-options.ts";
export { expandOptions, VERB_OPTIONS, type VerbWithOptions } from "./options/verb-options.ts";
export { ownBytes } from "./own-bytes.ts";
export { PRIVATE_DIRECTORY } from "./private-directory.ts";
export { RPC_LIMITS } from "./rpc-limits.ts";
export { BandwidthEstimator } from "./sync/bandwidth-estimator.ts";
export { isWorthPacking, joinBody, PACKING_PROTOCOL, packedLength, sampleOf } from "./sync/compression.ts";
export { outcomesOf, parsePullAcks, parsePullEntries, parsePushEntries, scanOf, withContents } from "./sync/entries.ts";
export {
  type Fields,
  flagOf,
  optionalCount,
  optionalText,
  parseCount,
  parseFields,
  parseList,
  parseOneOf,
  parsePath,
  parseText,
} from "./sync/fields.ts";
export { decodeMessage, encodeMessage, type Message } from "./sync/message-codec.ts";
export type {
  EntryKind,
  ExecExit,
  HelloAnswer,
  OfferOutcome,
  PullAck,
  PullEntry,
  PushEntry,
  ScanAnswer,
  Skipped,
  WireFault,
} from "./sync/messages.ts";
export { CONTAINER_ONLY, CONTAINER_ONLY_REASON, IGNORE_FILE } from "./sync/policy.ts";
export { SYNC_LIMITS } from "./sync/sync-limits.ts";
export {
  type AgentMessage,
  type AuditEntry,
  type AuditRecord,
  type FileSnapshot,
  type Proposal,
  type ReadVersion,
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
