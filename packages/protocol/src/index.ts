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
export { PRIVATE_DIRECTORY } from "./private-directory.ts";
export { RPC_LIMITS } from "./rpc-limits.ts";
export type {
  WireDirent,
  WireDirPage,
  WireError,
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
