/** `@workspace/shell`: the public surface, by name. */
export { createShell } from "./create-shell.ts";
export { ShellError, type ShellErrorCode } from "./errors.ts";
export type {
  BackendName,
  BackendProcess,
  ExecBackend,
  ExecRequest,
  ProcessEvent,
  ProcessExit,
  ProcessName,
  SignalName,
  SyncCount,
  SyncReport,
} from "./exec-backend.ts";
export type {
  ChangeCursor,
  ContainerHost,
  ExecDatabase,
  ExecutionOwner,
  ExecutionView,
  SharedExecutions,
  ShellHost,
} from "./host.ts";
export { type ShellLimits, shellLimits } from "./limits.ts";
export { isTemplate, quoteTemplate, quoteWord } from "./quote.ts";
export type {
  Command,
  ExecEncoding,
  ExecEvent,
  ExecExit,
  ExecHandle,
  ExecOptions,
  ExecRecord,
  ExecResult,
  ExecState,
  ExposedPort,
  GetOptions,
  ListOptions,
  Output,
  OutputFile,
  Shell,
  TemplateValue,
} from "./shell.ts";
export { type BashFileSystem, createBashFileSystem } from "./worker/bash-file-system.ts";
export { createWorkerBackend } from "./worker/worker-backend.ts";
export {
  type GitCancellation,
  type RgIo,
  type WorkerHost,
  type WorkerShellLimits,
  workerShellLimits,
} from "./worker/worker-host.ts";
