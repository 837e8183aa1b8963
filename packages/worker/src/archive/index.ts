/** `@workspace/worker/archive`: tar and zip without a workspace. */
export { ArchiveBudget } from "./archive-budget.ts";
export type { ArchiveEntry } from "./archive-entry.ts";
export { readTar } from "./tar-read.ts";
export { writeTar } from "./tar-write.ts";
export { readZip } from "./zip-read.ts";
export { writeZip } from "./zip-write.ts";
