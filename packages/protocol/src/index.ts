export { FS_ERROR_CODES, type FsErrorCode, isFsErrorCode } from "./error-codes.ts";
export { encodeFrame, type Frame, FrameError, type FrameLimits, readFrames } from "./frames.ts";
export { RPC_LIMITS } from "./rpc-limits.ts";
export type {
  WireDirent,
  WireDirPage,
  WireError,
  WireScanEntry,
  WireStat,
  WireTarget,
  WireWatched,
  WireWatchPage,
  WorkspaceAnswer,
  WorkspaceCall,
  WorkspaceReply,
} from "./wire.ts";
