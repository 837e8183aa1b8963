/** `@workspace/shell`: the public surface, by name. */
export { ShellError, type ShellErrorCode } from "./errors.ts";
export type {
  BackendName,
  BackendProcess,
  ExecBackend,
  ExecRequest,
  ProcessEvent,
  ProcessExit,
  SignalName,
  SyncCount,
  SyncReport,
} from "./exec-backend.ts";
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
