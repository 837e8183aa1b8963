export type { GrepAnswer, GrepFile, GrepHit, GrepMode, GrepQuery, GrepStats } from "@workspace/protocol";
export { createFileSystem } from "./create-file-system.ts";
export { decodeText, encodeText, encodingOf } from "./encoding.ts";
export { FsError, type FsErrorFields } from "./errors.ts";
export type {
  BulkEntry,
  BulkResult,
  ByteRange,
  Change,
  ChangeOp,
  Changes,
  ChangesOptions,
  Content,
  CopyFileOptions,
  CpOptions,
  Dir,
  Dirent,
  DiskUse,
  EntryType,
  FileHandle,
  FileRead,
  FileStat,
  FileSystem,
  FindOptions,
  Fingerprinted,
  Found,
  GlobOptions,
  GrepOptions,
  GrepStreamOptions,
  IfVersion,
  MkdirOptions,
  RenameOptions,
  RmOptions,
  ScanEntry,
  Searchable,
  SearchableFileSystem,
  StagedContents,
  StagedEntry,
  Staging,
  StatFs,
  TextEncodingName,
  Time,
  TreeOptions,
  TreeText,
  Version,
  WatchEvent,
  WatchOptions,
  WriteFileOptions,
  Written,
} from "./filesystem.ts";
export { type VisitBelow, visitBelow } from "./fs/below.ts";
export { findHits, type MakeHit } from "./fs/find.ts";
export { type Lookup, lookup } from "./fs/lookup.ts";
export { type Watched, watchEvent } from "./fs/watch-event.ts";
export { createHistory } from "./history/create-history.ts";
export type {
  Blame,
  BlameLine,
  Conflict,
  DiffFile,
  DiffOptions,
  DiffStatus,
  GroupPage,
  History,
  HistoryDiff,
  HistoryUse,
  LogFilter,
  LogGroup,
  LogOptions,
  LogPage,
  Moment,
  Purged,
  Reversal,
  Reverted,
  Snapshot,
  Snapshots,
  UndoOptions,
} from "./history/history.ts";
export { createPastFileSystem, createPastView, type PastView } from "./history/past-file-system.ts";
export { createSnapshots } from "./history/snapshots.ts";
export { defaultLimits, defaultRetention, type Limits, type Retention } from "./limits.ts";
export { type FsckProblem, type FsckReport, fsck } from "./maintain/fsck.ts";
export {
  type GcOptions,
  type GcResult,
  gc,
  type MaintainOptions,
  type MaintainResult,
  maintain,
} from "./maintain/maintain.ts";
export type { Identity } from "./mutation/mutation.ts";
export type { FileEnd, FoundLine, MatchSink, SearchEnd, SearchEngine } from "./search/engine.ts";
export { addEngine, type EngineChoice, type OtherEngine } from "./search/engines.ts";
export { buildSearchIndex, dropSearchIndex, type IndexUse, searchIndexUse } from "./search/index/search-index.ts";
export { createLocalEngine, type LocalEngineOptions } from "./search/local-engine.ts";
export { type RgIo, runRg } from "./search/rg/run-rg.ts";
export { searchText } from "./search/search-text.ts";
export { DirectoryEntry, type StatFields, Stats } from "./stats.ts";
export { namesOfFile, readSyncState, writeSyncState } from "./sync/sync-access.ts";
export { openVolume, type Volume, type VolumeOptions } from "./volume.ts";
