/** `@cloudflare/workspace/shell`: the shell alone, for `@cloudflare/workspace/core`, and the interfaces for custom containers. */
export type {
  BackendName,
  BackendProcess,
  Command,
  ExecBackend,
  ExecEncoding,
  ExecEvent,
  ExecExit,
  ExecHandle,
  ExecOptions,
  ExecRecord,
  ExecRequest,
  ExecResult,
  ExecState,
  ExposedPort,
  GetOptions,
  ListOptions,
  OutputFile,
  ProcessEvent,
  ProcessExit,
  Shell,
  ShellErrorCode,
  ShellLimits,
  SignalName,
  SyncReport,
  TemplateValue,
  WorkerShellLimits,
} from "@workspace/shell";
export { quoteWord, ShellError, shellLimits, workerShellLimits } from "@workspace/shell";
export { type ContainerFactory, type ContainerOptions, openContainer } from "./container/container.ts";
export { createShell, type WorkspaceShellHost } from "./shell/create-shell.ts";
