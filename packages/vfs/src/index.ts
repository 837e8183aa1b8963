export type { PathPolicy, PathRefusal } from "@workspace/glob";
export type { GrepAnswer, GrepFile, GrepHit, GrepMode, GrepQuery, GrepStats } from "@workspace/protocol";
export {
  any as anyValue,
  bound,
  boundsOf,
  checkOptions,
  type OptionCheck,
  type OptionsOf,
  type OptionTable,
  positiveBound,
  unknownOption,
} from "./check-options.ts";
export { createFileSystem } from "./create-file-system.ts";
export { decodeText, encodeText, encodingOf } from "./encoding.ts";
export { FsError, type FsErrorFields, throwIfAborted } from "./errors.ts";
export type {
  FileHandle,
  HandleContent,
  HandleFileOptions,
  HandleReadOptions,
  ReadLinesOptions,
} from "./file-handle.ts";
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
  StagedContents,
  StagedEntry,
  Staging,
  StatFs,
  StatOptions,
  SymlinkType,
  TemporaryDirectory,
  TextEncodingName,
  Time,
  TreeOptions,
  TreeText,
  Version,
  WatchEvent,
  WatchIgnore,
  WatchOptions,
  WriteFileOptions,
  Written,
} from "./filesystem.ts";
export { type VisitBelow, visitBelow } from "./fs/below.ts";
export { findHits, type MakeHit } from "./fs/find.ts";
export { type Lookup, lookup } from "./fs/lookup.ts";
export { temporaryDirectory } from "./fs/mkdtemp.ts";
export { type Watched, watchEvent } from "./fs/watch-event.ts";
export { watchFilter } from "./fs/watch-filter.ts";
export { HandleCalls } from "./handle/handle-calls.ts";
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
  Kept,
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
export type { StorePolicy } from "./history/store-policy.ts";
export { defaultLimits, defaultRetention, type Limits, type Retention } from "./limits.ts";
export { nextDue } from "./maintain/due.ts";
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
export { openVolume } from "./open-volume.ts";
export { optionsOf, type VerbWithOptions } from "./options.ts";
export { requireUnrestricted } from "./policy/require-change.ts";
export { restrictVolume } from "./policy/restricted-volume.ts";
export type { FileEnd, FoundLine, MatchSink, SearchEnd, SearchEngine } from "./search/engine.ts";
export { addEngine, type EngineChoice, type OtherEngine } from "./search/engines.ts";
export { buildSearchIndex, dropSearchIndex, type IndexUse, searchIndexUse } from "./search/index/search-index.ts";
export { createLocalEngine, type LocalEngineOptions } from "./search/local-engine.ts";
export { type RgIo, runRg } from "./search/rg/run-rg.ts";
export { searchText } from "./search/search-text.ts";
export { DirectoryEntry, type StatFields, Stats } from "./stats.ts";
export { namesOfFile, readSyncState, writeSyncState } from "./sync/sync-access.ts";
export type { Volume, VolumeOptions } from "./volume.ts";
