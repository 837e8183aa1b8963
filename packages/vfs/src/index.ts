export type { PathPolicy, PathRefusal } from "@workspace/glob";
export type { GrepFile, GrepHit, GrepMode, GrepQuery, GrepResult, GrepStats } from "@workspace/protocol";
export { boundsOf, checkOptions } from "./api/check-options.ts";
export { FsError, type FsErrorFields, throwIfAborted } from "./api/errors.ts";
export type {
  FileHandle,
  HandleContent,
  HandleFileOptions,
  HandleReadOptions,
  ReadLinesOptions,
} from "./api/file-handle.ts";
export type {
  BulkEntry,
  BulkResult,
  ByteRange,
  Change,
  ChangeOp,
  ChangePage,
  ChangesOptions,
  Content,
  CopyFileOptions,
  CpOptions,
  DetachedContentStore,
  DetachedContents,
  DetachedEntry,
  Dir,
  Dirent,
  DiskUsage,
  EntryType,
  FileRead,
  FileStat,
  FileSystem,
  FindOptions,
  FindResult,
  Fingerprinted,
  GlobOptions,
  GrepOptions,
  GrepStreamOptions,
  MkdirOptions,
  Mode,
  NameEncoding,
  OpendirOptions,
  ReaddirOptions,
  ReadFileOptions,
  RenameOptions,
  RmdirOptions,
  RmOptions,
  ScanEntry,
  ScanOptions,
  Searchable,
  SearchableFileSystem,
  StatFs,
  StatOptions,
  SymlinkType,
  TemporaryDirectory,
  TextEncodingName,
  Time,
  TreeListing,
  TreeOptions,
  Version,
  VersionGuard,
  WatchEvent,
  WatchIgnore,
  WatchOptions,
  WriteFileOptions,
  WriteResult,
} from "./api/file-system.ts";
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
  HistoryUsage,
  Kept,
  LogFilter,
  LogGroup,
  LogOptions,
  LogPage,
  PointInTime,
  PurgeResult,
  RestoreOptions,
  RevertedChange,
  RevertResult,
  Snapshot,
  Snapshots,
  UndoOptions,
} from "./api/history.ts";
export { defaultLimits, defaultRetention, type Limits, type Retention } from "./api/limits.ts";
export { optionsOf } from "./api/options.ts";
export { createFileSystem } from "./create-file-system.ts";
export { createPastView, createReadOnlyFileSystem, type LazyPastView } from "./create-past-file-system.ts";
export { type FindMapper, findMapped } from "./fs/find.ts";
export { type GrepTextOptions, grepText } from "./fs/grep-text.ts";
export { temporaryDirectory } from "./fs/mkdtemp.ts";
export { type WatchTarget, watchEvent } from "./fs/watch-event.ts";
export { watchFilter } from "./fs/watch-filter.ts";
export { HandleCalls } from "./handle/handle-calls.ts";
export { createHistory } from "./history/create-history.ts";
export { pastView } from "./history/past/past-views.ts";
export type { StorePolicy } from "./history/revert/store-policy.ts";
export { createSnapshots } from "./history/snapshots.ts";
export { nextDue } from "./maintenance/due.ts";
export { type FsckProblem, type FsckReport, fsck } from "./maintenance/fsck.ts";
export {
  type GcOptions,
  type GcResult,
  gc,
  type MaintainOptions,
  type MaintainResult,
  maintain,
} from "./maintenance/maintain.ts";
export type { Identity } from "./mutation/mutation.ts";
export { decodeText, encodeText, encodingOf } from "./node-args/encoding.ts";
export { DirectoryEntry, type StatFields, Stats } from "./node-args/stats.ts";
export { openVolume } from "./open-volume.ts";
export type { PrivateFiles } from "./policy/private-files.ts";
export { requireUnrestricted } from "./policy/require-change.ts";
export { restrictView, withOwnFiles } from "./policy/restricted-view.ts";
export type { EngineChoice, ExternalSearchEngine } from "./search/choose-engine.ts";
export type { FileEnd, MatchedLine, MatchSink, SearchEngine, SearchOutcome } from "./search/engine.ts";
export { buildSearchIndex, dropSearchIndex, type IndexUsage, searchIndexUsage } from "./search/index/search-index.ts";
export { createLocalEngine, type LocalEngineOptions } from "./search/local-engine.ts";
export { type RgIo, runRg } from "./search/rg/run-rg.ts";
export { searchText } from "./search/search-text.ts";
export { type Lookup, lookupPath } from "./volume/internal/lookup-path.ts";
export { pathsOfInode, readSyncState, writeSyncState } from "./volume/internal/sync-access.ts";
export { type WalkVisitor, walkDirectory } from "./volume/internal/walk-directory.ts";
export { isWritable } from "./volume/read-only.ts";
export type { ReadView, VolumeStore, WriteView } from "./volume/views.ts";
export type { VolumeOptions } from "./volume/volume.ts";
