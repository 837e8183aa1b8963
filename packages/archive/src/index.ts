/** `@workspace/archive`: tar and zip as streams. */
export { ArchiveBudget, type ArchiveLimits, type ArchiveWork } from "./archive-budget.ts";
export type { ArchiveEntry } from "./archive-entry.ts";
export { ArchiveError, type ArchiveErrorCode, invalidArchive } from "./archive-error.ts";
export { crc32 } from "./crc32.ts";
export { EntryGuard } from "./entry-guard.ts";
export type { RandomAccess } from "./random-access.ts";
export { readTar, type TarEntry } from "./read-tar.ts";
export { readZip } from "./read-zip.ts";
export { maxTarEntrySize, writeTar } from "./write-tar.ts";
export { writeZip } from "./write-zip.ts";
